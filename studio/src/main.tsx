import { render } from "preact";
import { App } from "./App";
import { speak } from "./language/client";
import { greet, lookAgain } from "./model/state";
import { connection } from "./server";
import "./style.css";

const place = document.getElementById("app");
if (place !== null) {
  place.replaceChildren();
  render(<App />, place);
}
connection.onOpen = () => {
  void greet();
  speak();
};
connection.open();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void lookAgain();
});
