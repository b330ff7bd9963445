import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { file, showLines } from "../model/state";
import { Badge, Empty, Note } from "../parts";
import { EvidenceView } from "./Evidence";
import { addWatch, anotherTrouble, askAnother, askFired, chooseTrace, columns, dropWatch, fired, other, step, trace, watched, why, whyTrouble } from "./state";

/// Why a formula has its verdict.
export function WhyView() {
  const found = why.value;
  const { value: at } = step;
  const { value: path } = trace;
  useEffect(() => void askFired(at), [at, path, found]);
  if (whyTrouble.value !== null) return <div class="view"><Note kind="error">{whyTrouble.value}</Note></div>;
  if (found === null) {
    return <Empty title="Nothing to explain yet"><p>Check the formulas, then press <strong>Why</strong> beside one of them.</p></Empty>;
  }
  return (
    <div class="view why">
      <h2 class="asked"><Badge word={found.verdict} /> <code>{found.formula}</code></h2>
      <EvidenceView evidence={found.evidence} mentions={found.mentions} columns={columns.value} {...{ trace, step, other, chooseTrace }}
        name={file.value?.path.replace(/\W+/g, "_") ?? "path"} />
      {found.verdict === "false" && found.evidence.traces.length > 0 && <Another at={at} />}
      <Watches />
      <Lines />
    </div>
  );
}

/// Other paths that show the same.
function Another({ at }: { at: number }) {
  return (
    <div class="toolbar wrap another">
      <span class="quiet-text">Another one:</span>
      <button type="button" onClick={() => void askAnother(null)}>from another initial state</button>
      <button type="button" onClick={() => void askAnother(at)}>by another step after {at}</button>
      {anotherTrouble.value !== null && <Note kind="info">{anotherTrouble.value}</Note>}
    </div>
  );
}

function Watches() {
  const text = useSignal("");
  const bad = columns.value.filter((each) => each.problem !== null);
  return (
    <section class="watches" aria-label="watched expressions">
      <form onSubmit={(event) => (event.preventDefault(), addWatch(text.value), (text.value = ""))}>
        <label class="choice"><span>Watch</span>
          <input type="text" placeholder="a formula, or Agent.variable + 1" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        </label>
        <button type="submit">Add</button>
      </form>
      {watched.value.map((each) => (
        <span class="chip" key={each}><code>{each}</code>
          <button type="button" class="quiet" aria-label={`stop watching ${each}`} onClick={() => dropWatch(each)}>✕</button></span>
      ))}
      {bad.map((each) => <Note kind="warning" key={each.text}>{each.text}: {each.problem}</Note>)}
    </section>
  );
}

function Lines() {
  const lines = fired.value?.lines ?? [];
  if (lines.length === 0) return null;
  return (
    <section class="fired" aria-label="lines that fired">
      <h3>Lines that made the step from {step.value} to {step.value + 1}</h3>
      <ul>
        {lines.map((each) => (
          <li key={`${each.line}${each.section}${each.text}`}>
            <button type="button" class="link" onClick={() => showLines(each.line, each.last)}>line {each.line}</button>
            <span class="quiet-text">{each.agent}, {each.section}</span> <code>{each.text}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
