import { signal } from "@preact/signals";
import { TOURS } from "./tours";

/// The tour that is taken, and the stop one is at.
export const tour = signal<{ name: string; stop: number } | null>(null);

/// Go to a stop; the page does what belongs to it.
export function visit(name: string, stop: number): void {
  const found = TOURS.find((each) => each.name === name);
  const there = found?.stops[stop];
  if (there === undefined) {
    tour.value = null;
    return;
  }
  tour.value = { name, stop };
  there.begin();
}

/// What is said at the present stop, above every view.
export function Tour() {
  const now = tour.value;
  const plan = TOURS.find((each) => each.name === now?.name);
  const stop = now === null ? undefined : plan?.stops[now.stop];
  if (now === null || plan === undefined || stop === undefined) return null;
  return (
    <section class="tour" aria-label={`tour: ${plan.title}`}>
      <header><h2>{now.stop + 1}. {stop.title}</h2><button type="button" class="quiet" aria-label="end the tour" onClick={() => (tour.value = null)}>✕</button></header>
      <p>{stop.text}</p>
      <p class="buttons">
        <button type="button" disabled={now.stop === 0} onClick={() => visit(now.name, now.stop - 1)}>Back</button>
        <button type="button" class="primary" onClick={() => visit(now.name, now.stop + 1)}>{now.stop + 1 < plan.stops.length ? "Next" : "Done"}</button>
        <span class="quiet-text">{now.stop + 1} of {plan.stops.length}</span>
      </p>
    </section>
  );
}
