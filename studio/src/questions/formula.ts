import { autocompletion, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { common } from "../model/common";
import { ispl, OPERATORS } from "../model/ispl";
import type { ModelFacts } from "../wire";

/// An editor of one formula, in one line; Enter asks.
export function formulaEditor(
  parent: HTMLElement,
  asked: (text: string) => void,
  facts: () => ModelFacts | null,
  past: () => readonly string[],
): EditorView {
  let back = -1;
  const recall = (view: EditorView, by: number): boolean => {
    const list = past();
    const place = Math.min(Math.max(back + by, -1), list.length - 1);
    if (place === back) return false;
    back = place;
    setText(view, list[place] ?? "");
    return true;
  };
  return new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        ...common("a question of your own"),
        ispl,
        EditorState.transactionFilter.of((each) => (each.newDoc.lines > 1 ? [] : each)),
        autocompletion({ override: [(context) => completed(context, facts())] }),
        keymap.of([
          ...completionKeymap,
          { key: "Enter", run: (view) => (asked(view.state.doc.toString()), (back = -1), true) },
          { key: "ArrowUp", run: (view) => recall(view, 1) },
          { key: "ArrowDown", run: (view) => recall(view, -1) },
          ...defaultKeymap, ...historyKeymap,
        ]),
      ],
    }),
  });
}

/// Put a text into an editor.
export function setText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: text.length } });
}

function completed(context: CompletionContext, facts: ModelFacts | null) {
  const word = context.matchBefore(/[\w.]+/);
  if (word === null && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  return { from, options: [...candidates(facts)], validFor: /^[\w.]*$/ };
}

/// The names of a model and the operators of formulas.
export function* candidates(facts: ModelFacts | null): Generator<{ label: string; type: string; detail?: string }> {
  for (const label of facts?.propositions ?? []) yield { label, type: "property", detail: "proposition" };
  for (const { name, actions } of facts?.agents ?? []) {
    yield { label: name, type: "class", detail: "agent" };
    for (const action of actions) yield { label: action, type: "function", detail: `action of ${name}` };
  }
  for (const label of Object.keys(facts?.groups ?? {})) yield { label, type: "class", detail: "group" };
  for (const { owner, name } of facts?.variables ?? []) yield { label: `${owner}.${name}`, type: "variable" };
  for (const label of OPERATORS) yield { label, type: "keyword" };
}
