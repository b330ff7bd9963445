import type { Names, State } from "../values";
import type { GraphData } from "../wire";

/// A node of a picture: one state, or all that look the same in what is shown.
export interface Node {
  id: string;
  members: number[];
  values: readonly { place: number; text: string }[];
  initial: boolean;
}

/// Steps from one node to another.
export interface Edge {
  source: string;
  target: string;
  label: string;
  count: number;
}

/// Worlds that an agent cannot tell apart.
export interface Doubt {
  source: string;
  target: string;
  agent: string;
}

export interface Picture {
  nodes: Node[];
  edges: Edge[];
}

/// States and steps with only some variables: states that agree on them are one node, their steps are merged.
export function quotient(names: Names, graph: GraphData, shown: readonly number[], left: ReadonlySet<number>): Picture {
  const nodes = new Map<string, Node>();
  const nodeOf = new Map<number, string>();
  const telling = shown.filter((place) => graph.states.some((state) => state[place] !== graph.states[0]?.[place]));
  graph.states.forEach((state, number) => {
    if (!left.has(number)) return;
    const key = shown.length === names.variables.length ? String(number) : shown.map((place) => String(state[place])).join("\u0001");
    const node = nodes.get(key) ?? { id: `n${nodes.size}`, members: [], values: said(names, state, telling), initial: false };
    node.members.push(number);
    node.initial ||= graph.initial[number] ?? false;
    nodes.set(key, node);
    nodeOf.set(number, node.id);
  });
  return { nodes: [...nodes.values()], edges: merged(names, graph, nodeOf) };
}

function said(names: Names, state: State, places: readonly number[]): Node["values"] {
  return places.map((place) => ({ place, text: `${names.variables[place]?.name} = ${state[place]}` }));
}

function merged(names: Names, graph: GraphData, nodeOf: ReadonlyMap<number, string>): Edge[] {
  const edges = new Map<string, { source: string; target: string; labels: Set<string>; count: number }>();
  for (const { source, target, actions, count } of graph.edges) {
    const [from, to] = [nodeOf.get(source), nodeOf.get(target)];
    if (from === undefined || to === undefined) continue;
    const key = `${from} ${to}`;
    const edge = edges.get(key) ?? { source: from, target: to, labels: new Set<string>(), count: 0 };
    for (const joint of actions) edge.labels.add(action(names, joint));
    edge.count += count;
    edges.set(key, edge);
  }
  return [...edges.values()].map(({ labels, ...rest }) => ({ ...rest, label: short([...labels], rest.count) }));
}

function action(names: Names, joint: readonly (string | null)[]): string {
  return joint.flatMap((each, place) => (each === null || each === "none" ? [] : [`${names.agents[place]}: ${each}`])).join(", ");
}

function short(labels: string[], count: number): string {
  const [first = ""] = labels;
  const text = first.length > 44 ? `${first.slice(0, 43)}…` : first;
  return count > 1 ? `${text} +${count - 1}` : text;
}

/// What an agent confuses: a line for each pair of a small class, a chain through a large one.
export function doubts(names: Names, graph: GraphData, picture: Picture, agent: string): Doubt[] {
  const seen = names.variables.flatMap((each, place) => (each.seen.includes(agent) ? [place] : []));
  const classes = new Map<string, Set<string>>();
  for (const node of picture.nodes) {
    for (const number of node.members) {
      const key = seen.map((place) => String(graph.states[number]?.[place])).join("\u0001");
      classes.set(key, (classes.get(key) ?? new Set()).add(node.id));
    }
  }
  return [...classes.values()].flatMap((each) => links([...each], agent));
}

function links(ids: string[], agent: string): Doubt[] {
  if (ids.length > 6) return ids.slice(1).map((target, place) => ({ source: ids[place] ?? target, target, agent }));
  return ids.flatMap((source, place) => ids.slice(place + 1).map((target) => ({ source, target, agent })));
}
