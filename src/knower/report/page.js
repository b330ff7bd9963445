"use strict";
// Draws the graphs of the page. Python has put every node on a grid (rank, lane); here boxes get their
// sizes, ranks run to the right (on narrow screens down), and whole states are shown beside the graph.

const { agents, graphs } = JSON.parse(document.getElementById("evidence").textContent);
const narrow = window.matchMedia("(max-width: 760px)");
const hidden = new Set();

const LINE = 16, LABEL_LINE = 14, PAD = 9, MOST_LINES = 8, MOST_ACTIONS = 3, TURN = 44;
const pen = document.createElement("canvas").getContext("2d");
const fontFamily = getComputedStyle(document.documentElement).getPropertyValue("--sans");

const shown = (agent) => !hidden.has(agent);
const colour = (agent) => `a${agents.indexOf(agent) % 8}`;
const textWidth = (text, font) => { pen.font = `${font} ${fontFamily}`; return pen.measureText(text).width; };
const said = (value) => String(value);

function svg(name, attributes = {}, ...children) {
  const item = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) item.setAttribute(key, value);
  item.append(...children);
  return item;
}

function html(name, text = "", className = "") {
  const item = document.createElement(name);
  item.textContent = text;
  if (className) item.className = className;
  return item;
}

// -- what is said on nodes and edges: lines of pieces, each with a class ------------------------------

function variables(values) {
  return Object.entries(values).filter(([agent]) => shown(agent)).flatMap(([agent, local]) =>
    Object.entries(local).map(([name, value]) => ({ agent, name, value })));
}

function differs(first, { agent, name, value }) {
  return first.values[agent]?.[name] !== value;
}

function nodeLines(node, first) {
  if (node.kind === "fold") return [[["", node.text]]];
  if (node.kind === "deed") return actionLines(node.action);
  const title = node.kind === "sight" ? node.text : node.initial ? `${node.name} · start` : node.name;
  const told = variables(node.values).filter((item) => node === first || node.kind === "sight" || differs(first, item));
  const lines = told.map(({ agent, name, value }) => [["owner", `${agent}.${name} = `], ["", said(value)]]);
  if (lines.length > MOST_LINES) lines.splice(MOST_LINES - 1, Infinity, [["more", `and ${told.length - MOST_LINES + 1} more`]]);
  return [[["name", title]], ...lines];
}

function actionLines(action) {
  return Object.entries(action).filter(([agent]) => shown(agent))
    .map(([agent, name]) => [[`who ${colour(agent)}`, `${agent}: `], ["", name]]);
}

function edgeLines(edge) {
  if (edge.kind === "doubt") return edge.agents.filter(shown).map((agent) => [[`who ${colour(agent)}`, agent]]);
  const known = new Map(edge.actions.map((action) => [JSON.stringify(actionLines(action)), actionLines(action)]));
  const ways = [...known.values()].filter((lines) => lines.length);
  const lines = ways.slice(0, MOST_ACTIONS).flatMap((way, place) => place ? [[["more", "or"]], ...way] : way);
  return ways.length > MOST_ACTIONS ? [...lines, [["more", `or ${ways.length - MOST_ACTIONS} more`]]] : lines;
}

function isVisible(graph, item) {
  if (item.kind === "deed") return Object.keys(item.action).some(shown);
  if (item.kind === "sight") return graph.edges.some((edge) => edge.source === item.name &&
    isVisible(graph, graph.nodes.find((node) => node.name === edge.target)));
  return item.kind !== "doubt" || item.agents.some(shown);
}

function linesWidth(lines, size) {
  return Math.max(0, ...lines.map((line) =>
    line.reduce((sum, [kind, text]) => sum + textWidth(text, kind === "name" ? `650 ${size}px` : `${size}px`), 0)));
}

function textBlock(lines, x, y, step, anchor = "start") {
  return lines.map((line, place) => svg("text", { x, y: y + place * step, "text-anchor": anchor },
    ...line.map(([kind, text]) => svg("tspan", kind ? { class: kind } : {}, text))));
}

// -- layout: a grid whose columns and rows are as large as what stands in them ------------------------

function laidOut(graph) {
  const first = graph.nodes[0];
  const boxes = new Map(graph.nodes.filter((node) => isVisible(graph, node)).map((node) => {
    const lines = nodeLines(node, first);
    return [node.name, { node, lines, w: linesWidth(lines, 12) + 2 * PAD + 4, h: lines.length * LINE + 2 * PAD - 2 }];
  }));
  const edges = graph.edges.filter((edge) => isVisible(graph, edge) && boxes.has(edge.source) && boxes.has(edge.target))
    .map((edge) => {
      const lines = edgeLines(edge);
      return { edge, lines, from: boxes.get(edge.source), to: boxes.get(edge.target),
        w: linesWidth(lines, 11), h: lines.length * LABEL_LINE };
    });
  return { boxes, edges, ...placed([...boxes.values()], edges) };
}

// A step to the next rank goes straight there; an edge in its own lane is an arc beside the lane.
const isAhead = ({ edge, from, to }) => edge.kind !== "doubt" && to.node.rank === from.node.rank + 1;
const isArc = (item) => !isAhead(item) && item.from.node.lane === item.to.node.lane;

function placed(boxes, edges) {
  const ranks = 1 + Math.max(...boxes.map(({ node }) => node.rank));
  const lanes = 1 + Math.max(...boxes.map(({ node }) => node.lane));
  const down = narrow.matches && ranks >= lanes;
  const [along, across] = down ? ["h", "w"] : ["w", "h"];
  const least = down ? 26 : 46;
  const rankSize = Array(ranks).fill(0), laneSize = Array(lanes).fill(0);
  const rankGap = Array(ranks).fill(least), laneArcs = Array.from({ length: lanes }, () => []);
  for (const box of boxes) {
    rankSize[box.node.rank] = Math.max(rankSize[box.node.rank], box[along]);
    laneSize[box.node.lane] = Math.max(laneSize[box.node.lane], box[across]);
  }
  for (const item of edges) {
    const rank = item.from.node.rank;
    if (isAhead(item)) {
      const turn = item.to.node.lane === item.from.node.lane ? 0 : down ? TURN / 2 : TURN;
      rankGap[rank] = Math.max(rankGap[rank], item[along] + turn + (down ? 22 : 34));
      if (down) laneSize[item.to.node.lane] = Math.max(laneSize[item.to.node.lane], 2 * item.w + 24);
    }
    else if (isArc(item)) laneArcs[item.from.node.lane].push(item);
  }
  const laneRoom = laneArcs.map((arcs) => roomForArcs(arcs, across));
  const rankAt = starts(rankSize, rankGap, 14);
  const laneAt = [];
  laneSize.reduce((at, size, lane) => (laneAt[lane] = at + laneRoom[lane], laneAt[lane] + size + 40), 12);
  for (const box of boxes) {
    const main = rankAt[box.node.rank] + (rankSize[box.node.rank] - box[along]) / 2;
    const cross = laneAt[box.node.lane] + (laneSize[box.node.lane] - box[across]) / 2;
    [box.x, box.y] = down ? [cross, main] : [main, cross];
  }
  for (const item of edges) item.top = laneAt[item.from.node.lane];
  const width = Math.max(...boxes.map((box) => box.x + box.w)) + 16;
  const height = Math.max(...boxes.map((box) => box.y + box.h)) + 16;
  return { down, width, height };
}

function starts(sizes, gaps, at) {
  return sizes.map((size, place) => { const here = at; at += size + gaps[place]; return here; });
}

function roomForArcs(arcs, across) {
  let room = 0;
  arcs.sort((a, b) => Math.abs(a.from.node.rank - a.to.node.rank) - Math.abs(b.from.node.rank - b.to.node.rank));
  for (const arc of arcs) { room += arc.from === arc.to ? 30 : 22; arc.level = room; room += arc[across]; }
  return room ? room + 4 : 0;
}

// -- edges --------------------------------------------------------------------------------------------

function route(item, down) {
  if (isAhead(item)) return ahead(item, down);
  return isArc(item) ? arc(item, down) : between(item, down);
}

// To another lane it turns at once, so that its label stands alone.
function ahead({ from, to, h }, down) {
  const turns = from.node.lane !== to.node.lane;
  if (down) {
    const [x1, y1, x2, y2] = [from.x + from.w / 2, from.y + from.h, to.x + to.w / 2, to.y];
    const bend = turns ? `C${x1},${y1 + TURN / 2} ${x2},${y1} ${x2},${y1 + TURN / 2}` : "";
    const y = (y1 + y2 + (turns ? TURN / 2 : 0) - h) / 2 + 9;
    return { d: `M${x1},${y1} ${bend} L${x2},${y2}`, x: x2 + 8, y, anchor: "start" };
  }
  const [x1, y1, x2, y2] = [from.x + from.w, from.y + from.h / 2, to.x, to.y + to.h / 2];
  const bend = turns ? `C${x1 + TURN},${y1} ${x1},${y2} ${x1 + TURN},${y2}` : "";
  const x = (x1 + x2 + (turns ? TURN : 0)) / 2 - 4;
  return { d: `M${x1},${y1} ${bend} L${x2},${y2}`, x, y: y2 - h + 5, anchor: "middle" };
}

// Out of the side the lanes are counted from, and back into it; a loop has both feet on one node.
function arc({ from, to, level, top, h }, down) {
  const out = from === to ? -0.22 : from.node.rank > to.node.rank ? -0.18 : 0.18;
  const crest = (a, b) => Math.min(a, b) - 0.75 * (Math.min(a, b) - (top - level));
  if (down) {
    const x = top - level, y1 = from.y + from.h * (0.5 + out), y2 = to.y + to.h * (0.5 - out);
    const d = `M${from.x},${y1} C${x},${y1} ${x},${y2} ${to.x},${y2}`;
    return { d, x: crest(from.x, to.x) - 4, y: (y1 + y2 - h) / 2 + 9, anchor: "end" };
  }
  const y = top - level, x1 = from.x + from.w * (0.5 + out), x2 = to.x + to.w * (0.5 - out);
  const d = `M${x1},${from.y} C${x1},${y} ${x2},${y} ${x2},${to.y}`;
  return { d, x: (x1 + x2) / 2, y: crest(from.y, to.y) - h + 6, anchor: "middle" };
}

// From the lower side of one node to the upper side of the other, round what may stand between.
function between({ from, to, h }, down) {
  const [near, far] = from.node.lane < to.node.lane ? [from, to] : [to, from];
  const round = near.node.rank === far.node.rank && far.node.lane - near.node.lane > 1 ? 40 : 0;
  const [x1, y1, x2, y2] = down
    ? [near.x + near.w, near.y + near.h * 0.3, far.x, far.y + far.h * 0.3]
    : [near.x + near.w * 0.85, near.y + near.h, far.x + far.w * 0.85, far.y];
  const pull = (down ? x2 - x1 : y2 - y1) / 2;
  const curve = down
    ? [x1, y1, x1 + pull, y1 - round, x2 - pull, y2 - round, x2, y2]
    : [x1, y1, x1 + 2 * round, y1 + pull, x2 + 2 * round, y2 - pull, x2, y2];
  const points = near === from ? curve : [6, 7, 4, 5, 2, 3, 0, 1].map((place) => curve[place]);
  const [x, y] = [bezier(0.25, x1, curve[2], curve[4], x2), bezier(0.25, y1, curve[3], curve[5], y2)];
  const d = `M${points.slice(0, 2)} C${points.slice(2)}`;
  return down ? { d, x, y: y + 14, anchor: "middle" } : { d, x: x + 8, y: y + 10 - h / 2, anchor: "start" };
}

function bezier(t, a, b, c, d) {
  return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
}

function drawnEdge(item, down, marker) {
  const { edge, lines } = item, path = route(item, down);
  const doubter = edge.kind === "doubt" ? colour(edge.agents.find(shown)) : "";
  const line = svg("path", { class: `edge ${edge.kind} ${doubter}`, d: path.d, "data-ends": `${edge.source} ${edge.target}` });
  if (edge.kind !== "doubt") line.setAttribute("marker-end", `url(#${marker})`);
  return [line, svg("g", { class: "label" }, ...textBlock(lines, path.x, path.y, LABEL_LINE, path.anchor))];
}

// -- nodes, and the panel that shows them whole -------------------------------------------------------

function drawnNode({ node, lines, x, y, w, h }) {
  const group = svg("g", { class: `node ${node.kind}${node.initial ? " initial" : ""}`, "data-name": node.name,
    tabindex: -1, role: "img", "aria-label": spoken(node) });
  group.append(svg("rect", { x, y, width: w, height: h, rx: 7 }));
  if (node.initial) group.append(svg("rect", { class: "ring", x: x - 4, y: y - 4, width: w + 8, height: h + 8, rx: 10 }));
  group.append(...textBlock(lines, x + PAD + 2, y + PAD + 10, LINE));
  return group;
}

function spoken(node) {
  const values = variables(node.values).map(({ agent, name, value }) => `${agent} ${name} ${said(value)}`);
  return [node.text || node.name, node.initial ? "initial state" : "", ...values].filter(Boolean).join(", ");
}

function fillPanel(panel, node, first) {
  panel.replaceChildren(html("h3", node.text || `State ${node.name}${node.initial ? ", where it starts" : ""}`));
  for (const [agent, local] of Object.entries(node.values)) {
    if (!shown(agent) || !Object.keys(local).length) continue;
    panel.append(html("h4", agent, colour(agent)), valueList(agent, local, node, first));
  }
  for (const [agent, action] of Object.entries(node.action)) if (shown(agent)) panel.append(html("p", `${agent}: ${action}`));
  appendList(panel, "shown here", node.claims);
  appendList(panel, "followed", Object.entries(node.follows).map(([text, holds]) => `${text}: ${holds === null ? "unknown" : holds ? "yes" : "no"}`));
}

function valueList(agent, local, node, first) {
  const list = html("dl");
  for (const [name, value] of Object.entries(local)) {
    const changed = node.kind === "state" && differs(first, { agent, name, value }) ? "changed" : "";
    list.append(html("dt", name, changed), html("dd", said(value), changed));
  }
  return list;
}

function appendList(panel, title, texts) {
  if (!texts.length) return;
  const list = html("ul");
  list.append(...texts.map((text) => html("li", text)));
  panel.append(html("h4", title), list);
}

// -- one figure ---------------------------------------------------------------------------------------

function draw(figure) {
  const place = Number(figure.dataset.graph), graph = graphs[place];
  const { boxes, edges, down, width, height } = laidOut(graph);
  const marker = `arrow-${place}`;
  const tip = svg("marker", { id: marker, viewBox: "0 0 10 10", refX: 9.5, refY: 5, markerWidth: 9, markerHeight: 9,
    markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0,0.8 L10,5 L0,9.2 z" }));
  const lines = edges.map((item) => drawnEdge(item, down, marker));
  const picture = svg("svg", { role: "group", "aria-label": "graph of the evidence" },
    svg("defs", {}, tip), ...lines.map(([line]) => line), ...lines.map(([, label]) => label));
  const nodes = [...boxes.values()].map((box) => ({ box, item: drawnNode(box) }));
  picture.append(...nodes.map(({ item }) => item));
  const select = (node) => selected(figure, node, graph.nodes[0]);
  nodes.forEach(({ box, item }, at) => {
    item.addEventListener("mouseenter", () => select(box.node));
    item.addEventListener("click", () => item.focus());
    item.addEventListener("focus", () => select(box.node));
    item.addEventListener("keydown", (event) => moved(event, nodes, at));
  });
  figure.querySelector(".canvas").replaceChildren(picture);
  fitted(picture, width, height);
  select((boxes.get(figure.dataset.selected) ?? nodes[0].box).node);
}

function selected(figure, node, first) {
  figure.dataset.selected = node.name;
  for (const item of figure.querySelectorAll(".node")) {
    const isIt = item.dataset.name === node.name;
    item.classList.toggle("selected", isIt);
    item.setAttribute("tabindex", isIt ? 0 : -1);
  }
  for (const line of figure.querySelectorAll(".edge")) {
    line.classList.toggle("lit", line.dataset.ends.split(" ").includes(node.name));
  }
  fillPanel(figure.querySelector(".panel"), node, first);
}

function moved(event, nodes, at) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const to = { Home: 0, End: nodes.length - 1 }[event.key] ?? at + (step ?? 0);
  if (to === at || !nodes[to]) return;
  event.preventDefault();
  nodes[to].item.focus();
}

// Labels at the edge of the drawing widen it; a drawing a little too wide is scaled.
function fitted(picture, width, height) {
  const box = picture.getBBox(), room = picture.parentElement.clientWidth - 40;
  const left = Math.min(0, box.x - 8), top = Math.min(0, box.y - 8);
  const w = Math.max(width, box.x + box.width + 8) - left, h = Math.max(height, box.y + box.height + 8) - top;
  const scale = w > room ? Math.max(room / w, 0.8) : 1;
  picture.setAttribute("viewBox", `${left} ${top} ${w} ${h}`);
  picture.setAttribute("width", w * scale);
  picture.setAttribute("height", h * scale);
}

function drawAll() {
  for (const figure of document.querySelectorAll("figure[data-graph]")) draw(figure);
}

for (const box of document.querySelectorAll(".agents input")) {
  box.addEventListener("change", () => {
    if (box.checked) hidden.delete(box.value); else hidden.add(box.value);
    drawAll();
  });
}
narrow.addEventListener("change", drawAll);
drawAll();
