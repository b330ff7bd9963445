import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Value } from "./values";

/// A verdict as a word in its colour.
export function Badge({ word, said }: { word: string; said?: string }) {
  return <span class={`badge ${word}`}>{said ?? word}</span>;
}

/// A dialog above everything; Escape closes it.
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = place.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog ref={place} aria-label={props.title} onClose={props.onClose}>
      <header>
        <h2>{props.title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={props.onClose}>✕</button>
      </header>
      {props.children}
    </dialog>
  );
}

/// A choice of a few words.
export function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly T[];
  onChange: (value: T) => void;
}) {
  return (
    <label class="choice">
      <span>{props.label}</span>
      <select
        value={props.value}
        onChange={(event) => {
          const found = props.options.find((each) => each === event.currentTarget.value);
          if (found !== undefined) props.onChange(found);
        }}
      >
        {props.options.map((each) => (
          <option key={each} value={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}

/// A value of a variable, coloured by what it is.
export function Shown({ value }: { value: Value | null | undefined }) {
  if (value === null || value === undefined) return <span class="none">–</span>;
  return <span class={typeof value === "boolean" ? `bool-${value}` : "value"}>{String(value)}</span>;
}

/// Something that takes a while, or did not work.
export function Note({ kind, children }: { kind: "info" | "warning" | "error"; children: ComponentChildren }) {
  return <p class={`note ${kind}`} role={kind === "error" ? "alert" : "status"}>{children}</p>;
}

/// Nothing to show yet, and what to do about it.
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
