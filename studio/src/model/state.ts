import { batch, computed, signal } from "@preact/signals";
import { Failed } from "../connection";
import { kept } from "../kept";
import { ask, connection, inWords } from "../server";
import type { Hello, ModelFacts, Opened } from "../wire";

/// A file that is open: what it was on disk when it was read.
export interface OpenFile {
  path: string;
  hash: string | null;
}

/// What somebody else made of the file meanwhile.
export interface Conflict {
  found: string | null;
}

export const hello = signal<Hello | null>(null);
export const files = signal<string[]>([]);
export const file = signal<OpenFile | null>(null);
/// The text in the editor, and as it is on disk.
export const text = signal("");
export const saved = signal("");
export const opened = signal<Opened | null>(null);
/// The file whose text the server has read last.
export const understood = signal("");
export const conflict = signal<Conflict | null>(null);
export const trouble = signal<string | null>(null);
/// A line of the text that is to be shown; a new object each time.
export const wantedLine = signal<{ line: number; last: number } | null>(null);
/// The text that was put there and not typed: the editor takes it over. A new object each time.
export const replaced = signal({ path: "", text: "" });
/// The files that were opened in this page, and those of them that have changes that are not saved.
export const openPaths = signal<string[]>([]);
export const dirtyPaths = signal<ReadonlySet<string>>(new Set());

/// The constants whose values were chosen here and not in the text, by file.
export const chosen = signal<Record<string, Record<string, string>>>({});

export const isDirty = computed(() => text.value !== saved.value);
export const facts = computed<ModelFacts | null>(() => opened.value?.facts ?? null);
/// The model, by the name the server knows it by; null while the text has errors.
export const model = computed(() => (opened.value?.facts ? opened.value.model : null));
const lastPath = kept("last-file", "", (value): value is string => typeof value === "string");

let revision = 0;
let typing: ReturnType<typeof setTimeout> | undefined;
let drafting: ReturnType<typeof setTimeout> | undefined;

/// The server is there, perhaps for the first time, perhaps again.
export async function greet(): Promise<void> {
  try {
    const found = await ask("hello", {}).done;
    const isFirst = hello.value === null;
    batch(() => {
      hello.value = found;
      files.value = [...new Set([...found.files, ...found.drafts])].sort();
      dirtyPaths.value = new Set(found.drafts);
    });
    if (isFirst) await openFirst(found);
    else await understand();
  } catch (error) {
    trouble.value = inWords(error);
  }
}

async function openFirst(found: Hello): Promise<void> {
  const last = found.files.includes(lastPath.value) ? lastPath.value : null;
  const first = found.first ?? last ?? found.files[0];
  if (first !== undefined && first !== null) await openFile(first);
}

let opening = 0;

/// Open a file, with the draft of it if there is one; a file that is opened later comes before it.
export async function openFile(path: string): Promise<void> {
  const mine = ++opening;
  try {
    await keepDraftNow();
    const found = await ask("read", { path }).done;
    if (mine !== opening) return;
    batch(() => {
      file.value = { path, hash: found.draft === null ? found.hash : found.draft.base };
      saved.value = found.text;
      conflict.value = found.draft !== null && found.draft.base !== found.hash ? { found: found.hash } : null;
      put(found.draft?.text ?? found.text);
      lastPath.value = path;
      trouble.value = null;
    });
    await understand();
  } catch (error) {
    trouble.value = inWords(error);
  }
}

/// A text that is in no file yet.
export async function openText(name: string, content: string): Promise<void> {
  opening += 1;
  await keepDraftNow();
  batch(() => {
    file.value = { path: freshName(name), hash: null };
    saved.value = "";
    conflict.value = null;
    put(content);
  });
  await understand();
}

function freshName(name: string): string {
  const stem = name.replace(/\.ispl$/, "").replaceAll(/[^\w-]+/g, "_") || "model";
  let path = `${stem}.ispl`;
  for (let number = 2; files.value.includes(path); number++) path = `${stem}_${number}.ispl`;
  return path;
}

function put(content: string): void {
  const path = file.value?.path ?? "";
  text.value = content;
  replaced.value = { path, text: content };
  if (!openPaths.value.includes(path)) openPaths.value = [...openPaths.value, path];
  noteDirty();
}

/// Remember whether the file that is open has changes.
function noteDirty(): void {
  const path = file.value?.path ?? "";
  if (dirtyPaths.value.has(path) === isDirty.value) return;
  const made = new Set(dirtyPaths.value);
  if (!made.delete(path)) made.add(path);
  dirtyPaths.value = made;
}

/// The text was changed by typing.
export function typed(content: string): void {
  text.value = content;
  noteDirty();
  clearTimeout(typing);
  typing = setTimeout(() => void understand(), 120);
  clearTimeout(drafting);
  drafting = setTimeout(() => void keepDraftNow(), 600);
}

/// Give a constant of the file another value, and read the model again.
export async function choose(name: string, value: string): Promise<void> {
  const path = file.value?.path ?? "";
  chosen.value = { ...chosen.value, [path]: { ...chosen.value[path], [name]: value } };
  await understand();
}

/// Give the constants of the file the values that the text says.
export async function chooseNothing(): Promise<void> {
  const { [file.value?.path ?? ""]: _, ...others } = chosen.value;
  chosen.value = others;
  await understand();
}

/// Have the server read the text; an answer to an older text is dropped.
export async function understand(): Promise<void> {
  const mine = ++revision;
  const name = file.value?.path ?? "model.ispl";
  try {
    const found = await ask("open", { name, text: text.value, constants: chosen.value[name] ?? {} }).done;
    if (mine !== revision) return;
    batch(() => {
      opened.value = found;
      understood.value = name;
    });
  } catch (error) {
    if (mine === revision) trouble.value = inWords(error);
  }
}

async function keepDraftNow(): Promise<void> {
  clearTimeout(drafting);
  const open = file.value;
  if (open === null || connection.status.value !== "open") return;
  const draft = isDirty.value ? { text: text.value, base: open.hash } : null;
  await ask("draft", { path: open.path, draft }).done.catch(() => undefined);
}

/// Write the file, if it is still what it was.
export async function save(): Promise<void> {
  const open = file.value;
  if (open === null) return;
  const content = text.value;
  clearTimeout(drafting);
  try {
    const found = await ask("save", { path: open.path, text: content, hash: open.hash }).done;
    batch(() => {
      file.value = { path: open.path, hash: found.hash };
      saved.value = content;
      conflict.value = null;
      trouble.value = null;
      noteDirty();
      if (!files.value.includes(open.path)) files.value = [...files.value, open.path].sort();
    });
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "conflict") {
      conflict.value = { found: error.failure.found ?? null };
    } else trouble.value = inWords(error);
  }
}

/// Whether somebody else has changed the file: asked when the page is looked at again.
export async function lookAgain(): Promise<void> {
  const open = file.value;
  if (open === null || open.hash === null || connection.status.value !== "open") return;
  const found = await ask("hash", { path: open.path }).done.catch(() => null);
  if (found === null || found.hash === open.hash || file.value?.path !== open.path) return;
  if (isDirty.value) conflict.value = { found: found.hash };
  else await openFile(open.path);
}

/// Of a conflict: keep what is in the editor; the next saving replaces the file.
export function keepMine(): void {
  const open = file.value;
  const found = conflict.value;
  if (open === null || found === null) return;
  batch(() => {
    file.value = { path: open.path, hash: found.found };
    conflict.value = null;
  });
}

/// Of a conflict: take what is on disk; what was typed is lost.
export async function takeTheirs(): Promise<void> {
  const open = file.value;
  if (open === null) return;
  await ask("draft", { path: open.path, draft: null }).done.catch(() => undefined);
  saved.value = text.value;
  await openFile(open.path);
}

/// Show lines of the text in the editor.
export function showLines(line: number, last: number = line): void {
  wantedLine.value = { line, last };
}
