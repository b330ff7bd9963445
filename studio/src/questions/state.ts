import { batch, computed, signal } from "@preact/signals";
import type { Pending } from "../connection";
import { isTexts, kept } from "../kept";
import { facts, model, understand } from "../model/state";
import { ask, inWords, wasForgotten, wasStopped } from "../server";
import type { Answer, Checked, CheckOptions, FormulaFacts, Running } from "../wire";

/// A check: of the file's formulas, or of questions of one's own.
export interface Run {
  model: string;
  pending: Pending<"check"> | null;
  news: Running | null;
  done: Checked | null;
  trouble: string | null;
}

/// What one reading says of a formula.
export interface ReadingAnswer {
  reading: string;
  answer: Answer | null;
  trouble: string | null;
}

export const options = signal<CheckOptions>({});
export const fileRun = signal<Run | null>(null);
/// The questions of one's own, the newest first, each with its run.
export const ownRuns = signal<{ text: string; run: Run }[]>([]);
export const readings = signal<{ text: string; answers: ReadingAnswer[] } | null>(null);
export const past = kept<string[]>("questions", [], isTexts);

/// The rows to show for the file: those of the run, or before any the formulas themselves.
export const rows = computed<Answer[]>(() => {
  const run = fileRun.value;
  const known = facts.value?.formulas ?? [];
  const answers = run !== null && run.model === model.value ? (run.done?.answers ?? run.news?.answers ?? []) : [];
  const byText = new Map(answers.map((each) => [each.text, each]));
  return known.map((each, place) => byText.get(each.text) ?? blank(place + 1, each));
});

function blank(number: number, { text, logic, expected }: FormulaFacts): Answer {
  return {
    number, name: null, text, logic, verdict: "unknown", expected, reason: null, seconds: 0, engine: "", atl: null,
    explained: null, left_out: null, pending: false, warnings: [],
  };
}

/// Check all formulas of the file, or one of them; `whole`: and look for evidence, however long it is.
export async function checkFile(only: string | null = null, whole = false): Promise<void> {
  const before = fileRun.value?.done?.answers ?? [];
  await begin(only === null ? null : [only], whole, (run) => {
    if (only !== null && run.done !== null) return; // its row is replaced below
    fileRun.value = run;
  }, only === null ? undefined : (done) => mergeOne(done, before));
}

/// The answer to one formula among those there were; its evidence is in its own run.
function mergeOne(done: Checked, before: readonly Answer[]): void {
  const [fresh] = done.answers;
  const current = model.value;
  if (fresh === undefined || current === null) return;
  const known = (facts.value?.formulas ?? []).map((each, place) =>
    before.find((old) => old.text === each.text) ?? blank(place + 1, each));
  const answers = known.map((each) => (each.text === fresh.text ? { ...fresh, number: each.number } : each));
  runOf.set(fresh.text, { run: done.run, number: fresh.number });
  fileRun.value = { model: current, pending: null, news: null, done: { ...done, answers }, trouble: null };
}

/// Where the evidence of an answer is: a run and a number in it.
export const runOf = new Map<string, { run: number; number: number }>();

/// Ask a question of one's own.
export async function askOwn(text: string, whole = false): Promise<void> {
  const question = text.trim();
  if (question === "") return;
  past.value = [question, ...past.value.filter((each) => each !== question)].slice(0, 50);
  await begin([question], whole, (run) => {
    ownRuns.value = [{ text: question, run }, ...ownRuns.value.filter((each) => each.text !== question)].slice(0, 20);
  });
}

/// Stop what is under way.
export function cancel(): void {
  for (const run of [fileRun.value, ...ownRuns.value.map((each) => each.run)]) run?.pending?.cancel();
}

async function begin(
  formulas: string[] | null,
  whole: boolean,
  show: (run: Run) => void,
  finished?: (done: Checked) => void,
): Promise<Checked | null> {
  const current = model.value;
  if (current === null) return null;
  const run: Run = { model: current, pending: null, news: null, done: null, trouble: null };
  const tell = (news: Running) => show({ ...run, news, pending });
  const wanted = whole ? { ...options.value, evidence: "all" as const } : options.value;
  const pending = ask("check", { model: current, formulas, options: wanted }, tell);
  show({ ...run, pending });
  try {
    const done = await pending.done;
    batch(() => {
      for (const each of done.answers) runOf.set(each.text, { run: done.run, number: each.number });
      show({ ...run, done });
      finished?.(done);
    });
    return done;
  } catch (error) {
    if (wasForgotten(error)) {
      await understand();
      return begin(formulas, whole, show, finished);
    }
    show({ ...run, trouble: wasStopped(error) ? "stopped" : inWords(error) });
    return null;
  }
}

/// Ask the same under every reading of strategies.
export async function askAllReadings(text: string): Promise<void> {
  const current = model.value;
  if (current === null) return;
  const wanted = ["objective", ...((facts.value?.fairness ?? 0) > 0 ? ["objective-fair"] : []), "uniform"];
  const answers: ReadingAnswer[] = wanted.map((reading) => ({ reading, answer: null, trouble: null }));
  readings.value = { text, answers };
  await Promise.all(wanted.map(async (reading, place) => {
    const asked = { ...options.value, atl: reading, evidence: "none" as const };
    let found: ReadingAnswer;
    try {
      const done = await ask("check", { model: current, formulas: [text], options: asked }).done;
      found = { reading, answer: done.answers[0] ?? null, trouble: null };
    } catch (error) {
      found = { reading, answer: null, trouble: inWords(error) };
    }
    answers[place] = found;
    readings.value = { text, answers: [...answers] };
  }));
}
