import { signal } from "@preact/signals";
import { model, showLines } from "../model/state";
import { Note } from "../parts";
import { ask, inWords } from "../server";
import type { CoverageData } from "../wire";

const found = signal<{ model: string; data: CoverageData } | null>(null);
const trouble = signal<string | null>(null);

async function look(current: string): Promise<void> {
  try {
    const data = await ask("coverage", { model: current }).done;
    found.value = { model: current, data };
    trouble.value = null;
  } catch (error) {
    trouble.value = inWords(error);
  }
}

/// What of the model never happens: lines that fire nowhere, actions that nobody does.
export function Coverage() {
  const { value: current } = model;
  const data = found.value?.model === current ? found.value?.data : undefined;
  return (
    <details class="coverage" onToggle={(event) => event.currentTarget.open && current !== null && data === undefined && void look(current)}>
      <summary>What never happens</summary>
      {trouble.value !== null && <Note kind="error">{trouble.value}</Note>}
      {data !== undefined && <Found data={data} />}
    </details>
  );
}

function Found({ data }: { data: CoverageData }) {
  const where = data.complete ? `of the ${data.states} reachable states` : `of the ${data.states} nearest states; there are more`;
  const isAll = data.lines.length + data.actions.length === 0;
  return (
    <>
      <p class="quiet-text">{isAll ? `Every line fires and every action is done in some ${where}.` : `In none ${where}:`}</p>
      <ul>
        {data.actions.map(({ agent, action }) => <li key={`${agent} ${action}`}>{agent} never does <code>{action}</code></li>)}
        {data.lines.map((each) => (
          <li key={`${each.line}${each.text}`}>
            <button type="button" class="link" onClick={() => showLines(each.line, each.last)}>line {each.line}</button>
            {" "}<span class="quiet-text">{each.section} of {each.agent}</span> <code>{each.text}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
