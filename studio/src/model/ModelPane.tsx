import { useEffect, useRef } from "preact/hooks";
import { format, rename } from "../language/client";
import { outline, type Entry } from "../language/outline";
import { findings, mend } from "../language/problems";
import { Dialog } from "../parts";
import { editor } from "./editor";
import { conflict, dirtyPaths, file, keepMine, openFile, openPaths, showLines, takeTheirs } from "./state";

/// The text of the model, what is wrong in it, and its outline.
export function ModelPane() {
  return (
    <section class="model-pane" aria-label="Model">
      <Tabs />
      <Place />
      <Findings />
      {conflict.value !== null && <ConflictDialog />}
    </section>
  );
}

/// The files that were opened, and what can be done with the text of the one that is shown.
function Tabs() {
  const paths = openPaths.value;
  return (
    <div class="text-bar">
      <div class="file-tabs" role="group" aria-label="Open files">
        {paths.length > 1 && paths.map((each) => (
          <button type="button" key={each} class="link" aria-pressed={file.value?.path === each} onClick={() => void openFile(each)}>
            {each.split("/").at(-1)}{dirtyPaths.value.has(each) ? " •" : ""}
          </button>
        ))}
      </div>
      <button type="button" class="quiet" title="F2, with the cursor on a name" onClick={() => (editor.focus(), rename(editor))}>Rename</button>
      <button type="button" class="quiet" title="Shift-Alt-F" onClick={() => (editor.focus(), format(editor))}>Format</button>
    </div>
  );
}

/// Where the editor is in the page.
function Place() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.append(editor.dom);
    editor.requestMeasure();
  }, []);
  return <div class="editor" ref={place} />;
}

function Findings() {
  return (
    <footer class="findings">
      {outline.value.length > 0 && <Outline entries={outline.value} />}
      <ul class="problems" aria-label="Problems" aria-live="polite">
        {findings.value.map((each) => (
          <li key={`${each.code}${each.from}${each.message}`} class={`problem ${each.severity}`}>
            <button type="button" class="what" onClick={() => showLines(each.line)}>
              <span class="place">{each.line}:{each.column}</span>
              <span>{each.message}</span>
              {each.cure !== null && <span class="cure">{each.cure}</span>}
            </button>
            {each.fix !== null && <button type="button" class="fix" onClick={() => mend(editor, each)}>{each.fix.title}</button>}
          </li>
        ))}
      </ul>
    </footer>
  );
}

function Outline({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav class="outline" aria-label="Outline">
      {entries.map((each) => <Line key={`${each.name}${each.line}`} each={each} />)}
      <details>
        <summary>all of it</summary>
        <Entries entries={entries} />
      </details>
    </nav>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <ul>
      {entries.map((each) => (
        <li key={`${each.name}${each.line}`}>
          <Line each={each} /> <span class="quiet-text">{each.detail}</span>
          {each.inside.length > 0 && <Entries entries={each.inside} />}
        </li>
      ))}
    </ul>
  );
}

function Line({ each }: { each: Entry }) {
  return <button type="button" class="link" onClick={() => showLines(each.line)}>{each.name}</button>;
}

function ConflictDialog() {
  return (
    <Dialog title="The file was changed by somebody else" onClose={() => (conflict.value = null)}>
      <p>
        {file.value?.path} is not what it was when you began to change it. Nothing was overwritten, and what you
        typed is kept as a draft.
      </p>
      <p class="buttons">
        <button type="button" class="primary" onClick={keepMine}>Keep mine</button>
        <button type="button" onClick={() => void takeTheirs()}>Take the file, drop mine</button>
      </p>
    </Dialog>
  );
}
