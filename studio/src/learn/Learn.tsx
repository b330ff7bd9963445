import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { file, openText, text } from "../model/state";
import { Note } from "../parts";
import { past, rows } from "../questions/state";
import { ask, inWords } from "../server";
import { download } from "../values";
import { view } from "../views";
import type { FamilyData, ParameterData } from "../wire";
import { opened, shared } from "./share";
import { TOURS } from "./tours";
import { visit } from "./Tour";

const families = signal<FamilyData[]>([]);
const trouble = signal<string | null>(null);

async function make(name: string, values: Record<string, number | string>): Promise<boolean> {
  try {
    const made = await ask("generate", { name, values }).done;
    trouble.value = null;
    await openText(made.name, made.text);
    return true;
  } catch (error) {
    trouble.value = inWords(error);
    return false;
  }
}

/// Known models to begin with, guided tours, and models to give away.
export function Learn() {
  useEffect(() => {
    ask("families", {}).done.then((found) => (families.value = found.families), (error) => (trouble.value = inWords(error)));
  }, []);
  return (
    <div class="view learn">
      {trouble.value !== null && <Note kind="error">{trouble.value}</Note>}
      <h2>Guided tours</h2>
      <div class="gallery">
        {TOURS.map((each) => (
          <article class="card" key={each.name}>
            <h3>{each.title}</h3>
            <p class="quiet-text">{each.stops.length} stops</p>
            <p><button type="button" class="primary" aria-label={`begin the tour ${each.title}`} onClick={() => void make(each.family, {}).then((made) => made && visit(each.name, 0))}>Begin</button></p>
          </article>
        ))}
      </div>
      <Share />
      <h2>Known models, made to measure</h2>
      <div class="gallery">{families.value.map((each) => <Family key={each.name} family={each} />)}</div>
    </div>
  );
}

function Family({ family }: { family: FamilyData }) {
  const values = useSignal<Record<string, number | string>>({});
  const open = (event: Event) => {
    event.preventDefault();
    void make(family.name, values.value).then((made) => made && (view.value = "questions"));
  };
  return (
    <form class="card" onSubmit={open} aria-label={family.name}>
      <h3>{family.name.replaceAll(/[-_]/g, " ")}</h3>
      <p>{family.description}</p>
      <p class="quiet-text">{family.source}</p>
      {family.parameters.map((each) => (
        <Parameter key={each.name} family={family.name} each={each} value={values.value[each.name] ?? each.default} set={(value) => (values.value = { ...values.value, [each.name]: value })} />
      ))}
      <p><button type="submit" aria-label={`open ${family.name}`}>Open</button></p>
    </form>
  );
}

function Parameter({ each, value, set }: { family: string; each: ParameterData; value: number | string; set: (value: number | string) => void }) {
  return (
    <label class="choice" title={`${each.help}; ${each.allowed}`}>
      <span>{each.name}</span>
      {each.words.length > 0
        ? <select value={String(value)} onChange={(event) => set(event.currentTarget.value)}>{each.words.map((word) => <option key={word} value={word}>{word}</option>)}</select>
        : <input type="number" value={Number(value)} onChange={(event) => set(Number(event.currentTarget.value))} />}
    </label>
  );
}

function Share() {
  const results = useSignal<{ text: string; verdict: string }[]>([]);
  const take = async (files: FileList | null) => {
    const [given] = files ?? [];
    if (given === undefined) return;
    try {
      if (given.size > 8_000_000) throw new Error("the file is too large");
      const share = opened(await given.text());
      past.value = [...share.questions, ...past.value].slice(0, 50);
      results.value = share.results;
      trouble.value = null;
      await openText(share.name, share.model);
    } catch (error) {
      trouble.value = inWords(error);
    }
  };
  const give = () => {
    const name = file.value?.path.split("/").at(-1)?.replace(/\.ispl$/, "") ?? "model";
    download(`${name}.knower.json`, shared(name, text.value, past.value, rows.value), "application/json");
  };
  return (
    <section aria-labelledby="share-title">
      <h2 id="share-title">Give and take</h2>
      <div class="toolbar wrap">
        <button type="button" onClick={give}>Share this model, its questions and results</button>
        <label class="choice"><span>Open a share file</span><input type="file" accept="application/json,.json" onChange={(event) => void take(event.currentTarget.files)} /></label>
      </div>
      {results.value.length > 0 && (
        <Note kind="info">The file says: {results.value.map((each) => `${each.text}: ${each.verdict}`).join("; ")}. Check to be sure.</Note>
      )}
    </section>
  );
}
