import { signal } from "@preact/signals";
import { facts, choose, chooseNothing, chosen, file, opened } from "../model/state";
import { Note } from "../parts";
import type { ConstantFacts } from "../wire";
import { checkFile, fileRun } from "./state";

/// The constants that were there last: a value that is not allowed takes the model away, but not the way back.
const last = signal<{ path: string; known: ConstantFacts[] }>({ path: "", known: [] });
/// A slider goes so far beyond the value it begins with: further ones are typed.
const FURTHER = 6;

/// The constants of the model: another value is read at once, and what was checked is checked again.
export function Constants() {
  const path = file.value?.path ?? "";
  const given = facts.value?.constants;
  if (given !== undefined && last.peek().known !== given) last.value = { path, known: given };
  const known = given ?? (last.value.path === path ? last.value.known : []);
  const mine = chosen.value[path] ?? {};
  if (known.length === 0) return null;
  const isChosen = Object.keys(mine).length > 0;
  return (
    <section class="constants" aria-label="Constants">
      {known.map((each) => <Constant key={`${path}${each.name}`} each={each} value={mine[each.name] ?? each.value} />)}
      {isChosen && <button type="button" class="quiet" onClick={() => void again(chooseNothing())}>As in the text</button>}
      {isChosen && facts.value === null && opened.value?.problems.map((each) => <Note key={each.message} kind="error">{each.message}</Note>)}
    </section>
  );
}

/// Wait for the model, and check again what was checked before.
async function again(read: Promise<void>): Promise<void> {
  const wasChecked = fileRun.value !== null;
  await read;
  if (wasChecked && facts.value !== null) await checkFile();
}

function Constant({ each, value }: { each: ConstantFacts; value: string }) {
  const set = (text: string) => void again(choose(each.name, text));
  if (each.kind === "boolean") {
    return (
      <label class="choice"><span>{each.name}</span>
        <input type="checkbox" checked={value === "true"} onChange={(event) => set(String(event.currentTarget.checked))} />
      </label>
    );
  }
  return (
    <span class="constant">
      <label class="choice"><span>{each.name} =</span>
        <input type="text" inputMode={each.kind === "number" ? "numeric" : "text"} size={each.kind === "number" ? 4 : 14} value={value} onChange={(event) => set(event.currentTarget.value)} />
      </label>
      {each.kind === "number" && <Slider name={each.name} value={Number(value)} set={set} />}
    </span>
  );
}

function Slider({ name, value, set }: { name: string; value: number; set: (text: string) => void }) {
  if (!Number.isFinite(value)) return null;
  return (
    <input type="range" aria-label={`value of ${name}`} min={Math.min(0, value)} max={Math.max(8, value + FURTHER)} value={value}
      onChange={(event) => set(event.currentTarget.value)} />
  );
}
