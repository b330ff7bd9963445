import { doubting, kind } from "../pictures/state";
import { checkFile } from "../questions/state";
import { view } from "../views";

/// A stop of a tour: what to say, and what the page does there.
export interface Stop {
  title: string;
  text: string;
  begin: () => void;
}

/// A tour through one member of a family.
export interface TourPlan {
  name: string;
  title: string;
  family: string;
  stops: readonly Stop[];
}

const show = (what: typeof view.value) => () => (view.value = what);

export const TOURS: readonly TourPlan[] = [
  {
    name: "bit", title: "The bit transmission problem", family: "bit-transmission",
    stops: [
      { title: "Two who talk over a line that loses things", begin: show("questions"),
        text: "A sender has a bit and sends it until it is acknowledged; a receiver acknowledges once it has the bit. The line between them may lose what is sent. The text of the model is on the left: an agent for each, with what it can do (Protocol) and what becomes of it (Evolution)." },
      { title: "What is always so", begin: () => { view.value = "questions"; void checkFile(); },
        text: "All formulas are checked. AG says “in every reachable state”, K(Sender, …) “the sender knows”. Read the verdicts aloud before you look at the reasons." },
      { title: "Why not?", begin: show("questions"),
        text: "Press Why beside a formula that is false. The table shows a path, a row for each state; what has changed is marked in the colour of its agent. The lines of the model that made the step are below." },
      { title: "Walk through it yourself", begin: show("explore"),
        text: "Choose what the line does, and see who then knows what. Add bit_received under “Who knows what”: the receiver knows as soon as it is so, the sender only after the acknowledgement." },
      { title: "All states at once", begin: () => { kind.value = "states"; doubting.value = new Set(["Sender"]); view.value = "pictures"; },
        text: "Every reachable state is a box. The dashed lines join states that look the same to the sender: where one end has the bit received and the other has not, the sender cannot know." },
    ],
  },
  {
    name: "children", title: "The muddy children", family: "muddy-children",
    stops: [
      { title: "Children who see all foreheads but their own", begin: show("questions"),
        text: "Some children have mud on their foreheads. Each sees the others. Their father says “at least one of you is muddy”, and then asks again and again: who knows about itself?" },
      { title: "They find out", begin: () => { view.value = "questions"; void checkFile(); },
        text: "With k muddy children, those who are muddy say yes when asked for the k-th time. That is what the formulas say; check them." },
      { title: "Ask them", begin: show("explore"),
        text: "Step by step: in the first rounds everybody says no, and just that is news to all. Choose a child to see which states it still considers possible: they become fewer with every answer." },
      { title: "Worlds that disappear", begin: () => { kind.value = "states"; doubting.value = new Set(["Child1", "Child2"]); view.value = "pictures"; },
        text: "Here are all states, with lines where a child cannot tell two of them apart. Announce a proposition: worlds where it is false are gone for everybody, and what was not known before is known now." },
    ],
  },
];
