import { closeBrackets } from "@codemirror/autocomplete";
import { history } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { drawSelection, EditorView } from "@codemirror/view";

/// The nonce of this page, by which the editor's styles are let in.
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

/// What both editors share: of models, and of single formulas.
export function common(label: string): Extension[] {
  return [
    EditorView.cspNonce.of(nonce()),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
  ];
}
