import { effect, signal, type Signal } from "@preact/signals";

/// A signal that is the same after a reload, as long as the browser keeps things for this page.
export function kept<T>(name: string, usual: T, isOne: (value: unknown) => value is T): Signal<T> {
  const made = signal(stored(name, usual, isOne));
  effect(() => store(name, made.value));
  return made;
}

/// What the browser keeps under a name; what is not of the right shape counts as nothing.
export function stored<T>(name: string, usual: T, isOne: (value: unknown) => value is T): T {
  try {
    const text = localStorage.getItem(`knower-${name}`);
    const value: unknown = text === null ? usual : JSON.parse(text);
    return isOne(value) ? value : usual;
  } catch {
    return usual;
  }
}

/// Keep something under a name; a browser that keeps nothing is no fault.
export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(`knower-${name}`, JSON.stringify(value));
  } catch {
    return;
  }
}

/// A list of texts.
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/// True or false.
export function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}
