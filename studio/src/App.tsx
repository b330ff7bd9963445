import { effect } from "@preact/signals";
import { Explore } from "./explore/Explore";
import { kept, isFlag } from "./kept";
import { Learn } from "./learn/Learn";
import { Tour } from "./learn/Tour";
import { ModelPane } from "./model/ModelPane";
import { file, files, isDirty, openFile, save, trouble, understood } from "./model/state";
import { Note } from "./parts";
import { Pictures } from "./pictures/Pictures";
import { Questions } from "./questions/Questions";
import { connection } from "./server";
import { TITLES, view, VIEWS } from "./views";
import { WhyView } from "./why/WhyView";

type Theme = "auto" | "light" | "dark";
const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const theme = kept<Theme>("theme", "auto", (value): value is Theme => THEMES.some((each) => each === value));
const isModelShown = kept("model-shown", true, isFlag);
effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

/// The whole page.
export function App() {
  if (view.value === "model") {
    return <div class="studio alone" data-understood={understood.value}><Header /><main class="only-model"><ModelPane /></main></div>;
  }
  return (
    <div class={`studio${isModelShown.value ? "" : " alone"}`} data-understood={understood.value}>
      <Header />
      {isModelShown.value && <ModelPane />}
      <main id="view" tabIndex={-1}>
        <Lost />
        {trouble.value !== null && <Note kind="error">{trouble.value}</Note>}
        <Tour />
        <Current />
      </main>
    </div>
  );
}

function Header() {
  const following = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  return (
    <header class="top">
      <h1>Knower <span>Studio</span></h1>
      <label class="file"><span class="sr-only">file</span>
        <select value={file.value?.path ?? ""} onChange={(event) => void openFile(event.currentTarget.value)}>
          {file.value !== null && !files.value.includes(file.value.path) && <option value={file.value.path}>{file.value.path} (new)</option>}
          {file.value === null && <option value="">no file</option>}
          {files.value.map((each) => <option key={each} value={each}>{each}</option>)}
        </select>
      </label>
      <button type="button" disabled={!isDirty.value} onClick={() => void save()}>{isDirty.value ? "Save •" : "Saved"}</button>
      <nav class="views" aria-label="Views">
        {VIEWS.map((each) => (
          <button type="button" key={each} class={`tab tab-${each}`} aria-current={view.value === each ? "page" : undefined} onClick={() => (view.value = each)}>
            {TITLES[each]}
          </button>
        ))}
      </nav>
      <button type="button" class="quiet wide-only" aria-pressed={isModelShown.value} onClick={() => (isModelShown.value = !isModelShown.value)}>
        Text beside
      </button>
      <button type="button" class="quiet" aria-label={`colours: ${theme.value}; switch to ${following}`} onClick={() => (theme.value = following)}>
        {theme.value === "dark" ? "☾" : theme.value === "light" ? "☀" : "◐"}
      </button>
    </header>
  );
}

function Lost() {
  switch (connection.status.value) {
    case "refused":
      return <Note kind="error">The server does not know this page: open the address that <code>knower studio</code> prints.</Note>;
    case "lost":
      return <Note kind="warning">The server is gone; this page tries to reach it again. What you typed is still here.</Note>;
    case "connecting":
    case "open":
      return null;
  }
}

function Current() {
  switch (view.value) {
    case "why":
      return <WhyView />;
    case "explore":
      return <Explore />;
    case "pictures":
      return <Pictures />;
    case "learn":
      return <Learn />;
    case "model":
    case "questions":
      return <Questions />;
  }
}
