import { useEffect, useRef } from "preact/hooks";
import type { EditorView } from "@codemirror/view";
import { facts, hello, model, showLines } from "../model/state";
import { Badge, Choice, Dialog, Empty, Note } from "../parts";
import type { Answer, Checked } from "../wire";
import { askWhy } from "../why/state";
import { findings } from "../language/problems";
import { Coverage } from "./Coverage";
import { Constants } from "./Constants";
import { Experiments } from "./Experiments";
import { formulaEditor, setText } from "./formula";
import { askAllReadings, askOwn, cancel, checkFile, fileRun, options, ownRuns, past, readings, rows, type Run } from "./state";

/// The formulas of the file and questions of one's own, with their verdicts.
export function Questions() {
  const run = fileRun.value;
  if (facts.value === null) {
    return (
      <div class="view questions">
        <Constants />
        <Empty title="No model yet"><p>Open a model, or mend what is marked in its text.</p></Empty>
      </div>
    );
  }
  return (
    <div class="view questions">
      <Constants />
      <Toolbar run={run} />
      <Progress run={run} />
      <ul class="formulas" aria-label="Formulas of the file">
        {rows.value.map((answer) => (
          <Row key={answer.text} answer={answer} line={facts.value?.formulas[answer.number - 1]?.line} />
        ))}
      </ul>
      {rows.value.length === 0 && <p class="quiet-text">This model has no formulas of its own: ask one below.</p>}
      {run?.done && <Notices done={run.done} />}
      <Lints />
      <Coverage key={model.value} />
      <Own />
      {facts.value.constants.length > 0 && <Experiments known={facts.value.constants} />}
      {readings.value !== null && <Readings />}
    </div>
  );
}

function Toolbar({ run }: { run: Run | null }) {
  const busy = run?.pending !== null && run !== null && run.done === null && run.trouble === null;
  return (
    <div class="toolbar">
      <button type="button" class="primary" disabled={busy || model.value === null} onClick={() => void checkFile()}>
        Check all
      </button>
      <button type="button" disabled={!busy} onClick={cancel}>Cancel</button>
      <details class="settings">
        <summary>How</summary>
        <Settings />
      </details>
    </div>
  );
}

function Settings() {
  const known = hello.value;
  const chosen = options.value;
  if (known === null) return null;
  const set = (name: string) => (value: string) => (options.value = { ...chosen, [name]: value });
  return (
    <div class="settings-grid">
      <Choice label="Engine" value={chosen.engine ?? "auto"} options={known.engines} onChange={set("engine")} />
      <Choice label="Method" value={chosen.method ?? "full"} options={known.methods} onChange={set("method")} />
      <Choice label="Strategies" value={chosen.atl ?? "auto"} options={known.readings} onChange={set("atl")} />
      <Choice label="Deadlocks" value={chosen.on_deadlock ?? "warn"} options={known.deadlocks} onChange={set("on_deadlock")} />
      <Choice label="Evidence" value={chosen.evidence ?? "auto"} options={["auto", "none", "all"]} onChange={set("evidence")} />
      <label class="choice">
        <span>Parts that never matter</span>
        <input type="checkbox" checked={chosen.vacuity ?? false} onChange={(event) => (options.value = { ...chosen, vacuity: event.currentTarget.checked })} />
      </label>
      <label class="choice">
        <span>Seconds</span>
        <input type="number" min="1" value={chosen.seconds ?? known.seconds}
          onChange={(event) => (options.value = { ...chosen, seconds: Number(event.currentTarget.value) || known.seconds })} />
      </label>
    </div>
  );
}

function Progress({ run }: { run: Run | null }) {
  if (run === null) return null;
  if (run.trouble !== null) return <Note kind={run.trouble === "stopped" ? "info" : "error"}>{run.trouble}</Note>;
  if (run.done !== null) {
    const states = run.done.states === null ? "states not counted" : `${run.done.states} reachable states`;
    return <p class="facts" role="status">{states} · {run.done.engine} · {run.done.seconds} s{run.done.stopped ? " · stopped" : ""}</p>;
  }
  const news = run.news;
  const figures = Object.entries(news?.figures ?? {}).slice(0, 4);
  return (
    <div class="progress" role="status">
      <progress aria-label="checking" />
      <span>{news?.phase ?? "preparing"}</span>
      <span class="quiet-text">{figures.map(([name, value]) => `${name} ${value}`).join(" · ")}</span>
      <span class="quiet-text">{news?.seconds ?? 0} s</span>
    </div>
  );
}

/// Show why; evidence that was left out because it is long is sought first.
async function explain({ text, explained }: Answer, isOwn: boolean): Promise<void> {
  if (explained === null) await (isOwn ? askOwn(text, true) : checkFile(text, true));
  await askWhy(text);
}

function Row({ answer, line }: { answer: Answer; line?: number | undefined }) {
  const known = answer.engine !== "" || answer.reason !== null;
  const isUnexpected = known && answer.verdict !== "unknown" && answer.verdict !== answer.expected;
  return (
    <li class="formula-row">
      {known && !answer.pending ? <Badge word={answer.verdict} /> : <Badge word="open" said={answer.pending ? "…" : "–"} />}
      <div class="formula-text">
        <code>{answer.text}</code>
        <p class="formula-facts">
          {line !== undefined && (
            <button type="button" class="link" onClick={() => showLines(line)}>line {line}</button>
          )}
          <span>{answer.logic}</span>
          {answer.atl !== null && <span>{answer.atl}</span>}
          {answer.engine !== "" && <span>{answer.engine}, {answer.seconds} s</span>}
          {isUnexpected && <span class="unexpected">expected {answer.expected}</span>}
          {answer.reason !== null && !answer.pending && <span>{answer.reason}</span>}
          {answer.left_out !== null && !answer.pending && <span>no evidence yet: {answer.left_out.split(";")[0]}</span>}
          {answer.warnings.map((each) => <span class="unexpected" key={each}>{each}</span>)}
        </p>
      </div>
      <div class="row-buttons">
        <button type="button" aria-label={`check ${answer.text}`} onClick={() => void checkFile(answer.text)}>Check</button>
        {/<.*>/.test(answer.text) && (
          <button type="button" aria-label={`all readings of ${answer.text}`} onClick={() => void askAllReadings(answer.text)}>Readings</button>
        )}
        <button type="button" class="why-button" disabled={answer.explained === null && answer.left_out === null} aria-label={`why ${answer.text}`}
          onClick={() => void explain(answer, line === undefined)}>Why</button>
      </div>
    </li>
  );
}

function Notices({ done }: { done: Checked }) {
  const fine = [done.deadlock === "none" ? "no deadlock" : "", done.overflow === "none" ? "no overflow" : ""].filter(Boolean);
  return (
    <div class="notices">
      {done.notices.map((each) => <Note kind="warning" key={each.code + each.message}>{each.message}</Note>)}
      {fine.length > 0 && <p class="quiet-text">{fine.join(", ")}</p>}
    </div>
  );
}

/// What the language server finds suspicious in the text: it may be why a verdict surprises.
function Lints() {
  const found = findings.value.filter((each) => each.severity === "warning");
  if (found.length === 0) return null;
  return (
    <details class="lints">
      <summary>{found.length === 1 ? "One thing in the text looks" : `${found.length} things in the text look`} like a mistake</summary>
      <ul>
        {found.map((each) => (
          <li key={`${each.code}${each.from}`}>
            <button type="button" class="link" onClick={() => showLines(each.line)}>line {each.line}</button> {each.message}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Own() {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const made = formulaEditor(place.current, (text) => void askOwn(text), () => facts.peek(), () => past.peek());
    view.current = made;
    return () => made.destroy();
  }, []);
  const current = () => view.current?.state.doc.toString() ?? "";
  return (
    <section class="own" aria-labelledby="own-title">
      <h2 id="own-title">A question of your own</h2>
      <div class="own-line">
        <div class="formula-input" ref={place} />
        <button type="button" class="primary" onClick={() => void askOwn(current())}>Ask</button>
        <button type="button" onClick={() => void askAllReadings(current())}>All readings</button>
      </div>
      <ul class="formulas" aria-label="Your questions">
        {ownRuns.value.map(({ text, run }) => <OwnRow key={text} text={text} run={run} />)}
      </ul>
      {past.value.length > 0 && (
        <details class="history">
          <summary>Asked before</summary>
          <ul>
            {past.value.map((text) => (
              <li key={text}>
                <button type="button" class="link" onClick={() => view.current && setText(view.current, text)}><code>{text}</code></button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function OwnRow({ text, run }: { text: string; run: Run }) {
  const answer = run.done?.answers[0] ?? run.news?.answers[0];
  if (run.trouble !== null) return <li><code>{text}</code><Note kind="error">{run.trouble}</Note></li>;
  return answer === undefined ? <li class="formula-row"><Badge word="open" said="…" /><code>{text}</code></li> : <Row answer={answer} />;
}

function Readings() {
  const found = readings.value;
  if (found === null) return null;
  return (
    <Dialog title="Under every reading" onClose={() => (readings.value = null)}>
      <p><code>{found.text}</code></p>
      <table class="readings">
        <thead><tr><th scope="col">what coalitions know and how they play</th><th scope="col">verdict</th></tr></thead>
        <tbody>
          {found.answers.map((each) => (
            <tr key={each.reading}>
              <th scope="row">{each.reading}</th>
              <td>{each.trouble ?? (each.answer === null ? "…" : <><Badge word={each.answer.verdict} /> {each.answer.reason}</>)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
