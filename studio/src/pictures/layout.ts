import ELK from "elkjs/lib/elk-api.js";
import elkWorker from "elkjs/lib/elk-worker.min.js?url";

/// A box to be placed.
export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Line {
  source: string;
  target: string;
}

export interface Place {
  x: number;
  y: number;
}

/// Above so many boxes layers take too long: boxes push each other apart instead.
export const LAYERED = 100;

/// Where boxes are put; `cancel` ends the work.
export interface Layout {
  done: Promise<Map<string, Place>>;
  cancel(): void;
}

/// A layout by layers in a worker, or for many boxes by forces.
export function layout(boxes: readonly Box[], lines: readonly Line[]): Layout {
  if (boxes.length > LAYERED) return { done: Promise.resolve(forced(boxes, lines)), cancel: () => undefined };
  const elk = new ELK({ workerFactory: () => new Worker(elkWorker) });
  const graph = {
    id: "root",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": "DOWN",
      "elk.layered.spacing.nodeNodeBetweenLayers": "70",
      "elk.spacing.nodeNode": "36",
    },
    children: boxes.map(({ id, width, height }) => ({ id, width, height })),
    edges: lines.filter(({ source, target }) => source !== target).map(({ source, target }, place) => ({ id: `e${place}`, sources: [source], targets: [target] })),
  };
  const done = elk.layout(graph).then((found) => {
    elk.terminateWorker();
    return new Map((found.children ?? []).map((each) => [each.id, { x: each.x ?? 0, y: each.y ?? 0 }]));
  });
  return { done, cancel: () => elk.terminateWorker() };
}

/// Boxes that push each other apart, and are held together by lines. The same for the same graph.
export function forced(boxes: readonly Box[], lines: readonly Line[], rounds = 160): Map<string, Place> {
  const count = boxes.length;
  const index = new Map(boxes.map((each, place) => [each.id, place]));
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const ideal = 150;
  for (let place = 0; place < count; place++) {
    const angle = place * 2.399963; // the golden angle: no two begin at the same place
    const far = ideal * 0.6 * Math.sqrt(place);
    x[place] = far * Math.cos(angle);
    y[place] = far * Math.sin(angle);
  }
  const pairs = lines.flatMap(({ source, target }) => {
    const [a, b] = [index.get(source), index.get(target)];
    return a === undefined || b === undefined || a === b ? [] : [[a, b] as const];
  });
  for (let round = 0; round < rounds; round++) relax(x, y, pairs, ideal, ideal * 2 * (1 - round / rounds));
  return new Map(boxes.map((each, place) => [each.id, { x: x[place] ?? 0, y: y[place] ?? 0 }]));
}

function relax(x: Float64Array, y: Float64Array, pairs: readonly (readonly [number, number])[], ideal: number, heat: number): void {
  const count = x.length;
  const dx = new Float64Array(count);
  const dy = new Float64Array(count);
  const push = (a: number, b: number, force: (far: number) => number) => {
    const [ax, ay] = [(x[a] ?? 0) - (x[b] ?? 0), (y[a] ?? 0) - (y[b] ?? 0)];
    const far = Math.max(Math.hypot(ax, ay), 1);
    const by = force(far) / far;
    dx[a] = (dx[a] ?? 0) + ax * by;
    dy[a] = (dy[a] ?? 0) + ay * by;
    dx[b] = (dx[b] ?? 0) - ax * by;
    dy[b] = (dy[b] ?? 0) - ay * by;
  };
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) push(a, b, (far) => (ideal * ideal) / far);
  for (const [a, b] of pairs) push(a, b, (far) => -(far * far) / ideal / 3);
  for (let place = 0; place < count; place++) {
    const far = Math.max(Math.hypot(dx[place] ?? 0, dy[place] ?? 0), 1e-9);
    const by = Math.min(far, heat) / far;
    x[place] = (x[place] ?? 0) + (dx[place] ?? 0) * by;
    y[place] = (y[place] ?? 0) + (dy[place] ?? 0) * by;
  }
}
