import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, highlightActiveLine, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { effect } from "@preact/signals";
import { language } from "../language/client";
import { findings } from "../language/problems";
import { outline } from "../language/outline";
import { common } from "./common";
import { ispl } from "./ispl";
import { replaced, save, typed, wantedLine } from "./state";

const setShown = StateEffect.define<{ line: number; last: number } | null>();

/// The lines that are pointed at.
const shownLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    let made = old.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setShown)) made = effect.value === null ? Decoration.none : marks(transaction.state, effect.value);
    }
    return made;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function marks(state: EditorState, shown: { line: number; last: number }): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const last = Math.min(shown.last, state.doc.lines);
  for (let line = Math.min(shown.line, last); line <= last; line++) {
    const { from } = state.doc.line(line);
    builder.add(from, from, Decoration.line({ class: "fired-line" }));
  }
  return builder.finish();
}

/// Marks a change that nobody has typed.
const given = Annotation.define<true>();

function stateOf(path: string, text: string): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      ...common("model text"),
      lineNumbers(),
      lintGutter(),
      highlightActiveLine(),
      search({ top: true }),
      ispl,
      shownLines,
      autocompletion(),
      keymap.of([
        { key: "Mod-s", run: () => (void save(), true), preventDefault: true },
        ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, ...lintKeymap, indentWithTab,
      ]),
      language(path),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((each) => each.annotation(given))) typed(update.state.doc.toString());
      }),
    ],
  });
}

/// The one editor of models. It lives as long as the page, in the page or beside it, so that the language
/// server knows the text whatever is looked at.
export const editor = new EditorView({ state: EditorState.create({ extensions: common("model text") }) });
/// The files that were open before, as they were left: where the cursor is, and what can be undone.
const left = new Map<string, EditorState>();
let shownPath = "";

/// Show the text of a file.
function show(path: string, text: string): void {
  if (path === shownPath) {
    const { doc } = editor.state;
    if (doc.toString() !== text) editor.dispatch({ changes: { from: 0, to: doc.length, insert: text }, annotations: given.of(true) });
    return;
  }
  if (shownPath !== "") left.set(shownPath, editor.state);
  shownPath = path;
  const before = left.get(path);
  findings.value = [];
  outline.value = [];
  editor.setState(before?.doc.toString() === text ? before : stateOf(path, text));
}

effect(() => {
  const { path, text } = replaced.value;
  if (path !== "") show(path, text);
});
effect(() => pointAt(editor, wantedLine.value));

/// Point at lines, and bring them into view.
function pointAt(view: EditorView, shown: { line: number; last: number } | null): void {
  const effects: StateEffect<unknown>[] = [setShown.of(shown)];
  if (shown !== null) {
    const line = view.state.doc.line(Math.min(shown.line, view.state.doc.lines));
    effects.push(EditorView.scrollIntoView(line.from, { y: "center" }));
  }
  view.dispatch({ effects });
}
