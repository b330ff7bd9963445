import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { colourOf, download, type Names } from "../values";
import type { Doubt, Edge, Node, Picture } from "./graph";
import { layout, type Place } from "./layout";

const LINE = 17;
const WIDE = 7.4;

interface Props {
  names: Names;
  picture: Picture;
  doubts: readonly Doubt[];
  holds: ReadonlySet<number> | null;
  chosen: string | null;
  choose: (id: string) => void;
  label: string;
}

/// A picture of states: boxes and arrows, in SVG of our own.
export function Drawing(props: Props) {
  const { picture } = props;
  const places = usePlaces(picture);
  const svg = useRef<SVGSVGElement>(null);
  const [zoom, setZoom] = useState(1);
  if (places === null) return <p class="quiet-text" role="status">drawing {picture.nodes.length} states …</p>;
  const frame = framed(picture, places);
  return (
    <figure class="drawing">
      <div class="toolbar">
        <button type="button" aria-label="smaller" onClick={() => setZoom(zoom / 1.25)}>−</button>
        <button type="button" aria-label="larger" onClick={() => setZoom(zoom * 1.25)}>+</button>
        <button type="button" onClick={() => svg.current && download("picture.svg", asText(svg.current), "image/svg+xml")}>SVG</button>
        <button type="button" onClick={() => svg.current && void asPng(svg.current)}>PNG</button>
        <span class="quiet-text">{picture.nodes.length} nodes, {picture.edges.length} arrows</span>
      </div>
      <div class="canvas" tabIndex={0} role="region" aria-label={`${props.label}, scrollable`}>
        <svg ref={svg} xmlns="http://www.w3.org/2000/svg" role="img" aria-label={props.label} width={frame.width * zoom} height={frame.height * zoom}
          viewBox={`${frame.x} ${frame.y} ${frame.width} ${frame.height}`}>
          <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow-head" d="M0 0L8 4L0 8z" /></marker></defs>
          {props.doubts.map((each) => <DoubtLine key={`${each.agent}${each.source}${each.target}`} each={each} names={props.names} picture={picture} places={places} />)}
          {picture.edges.map((each) => <Arrow key={`${each.source}${each.target}`} each={each} picture={picture} places={places} busy={picture.edges.length > 60} />)}
          {picture.nodes.map((each) => <Box key={each.id} each={each} place={places.get(each.id) ?? { x: 0, y: 0 }} {...props} />)}
        </svg>
      </div>
    </figure>
  );
}

/// Where the boxes are; null until that is known. A newer picture ends the work for an older one.
function usePlaces(picture: Picture): Map<string, Place> | null {
  const [found, setFound] = useState<{ of: Picture; places: Map<string, Place> } | null>(null);
  useEffect(() => {
    const work = layout(picture.nodes.map((each) => ({ id: each.id, ...sizeOf(each) })), picture.edges);
    let isOver = false;
    work.done.then((places) => !isOver && setFound({ of: picture, places }), () => undefined);
    return () => {
      isOver = true;
      work.cancel();
    };
  }, [picture]);
  return found?.of === picture ? found.places : null;
}

function sizeOf(node: Node): { width: number; height: number } {
  const longest = Math.max(3, ...node.values.map((each) => each.text.length));
  return { width: longest * WIDE + 22, height: Math.max(1, node.values.length + (node.members.length > 1 ? 1 : 0)) * LINE + 14 };
}

function framed(picture: Picture, places: Map<string, Place>): { x: number; y: number; width: number; height: number } {
  let [left, top, right, bottom] = [0, 0, 100, 60];
  for (const node of picture.nodes) {
    const { x, y } = places.get(node.id) ?? { x: 0, y: 0 };
    const { width, height } = sizeOf(node);
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  const side = picture.edges.length > 60 ? 50 : 150; // labels stand beside arrows
  return { x: left - side, y: top - 30, width: right - left + 2 * side, height: bottom - top + 60 };
}

function Box({ each, place, holds, chosen, choose }: Props & { each: Node; place: Place }) {
  const { width, height } = sizeOf(each);
  const count = holds === null ? 0 : each.members.filter((member) => holds.has(member)).length;
  const truth = holds === null ? "" : count === each.members.length ? " holds" : count === 0 ? " fails" : " partly";
  const lines = each.values.map((value) => value.text);
  if (each.members.length > 1) lines.push(`${each.members.length} states`);
  return (
    <g class={`node${each.initial ? " initial" : ""}${truth}${chosen === each.id ? " chosen" : ""}`} transform={`translate(${place.x} ${place.y})`} onClick={() => choose(each.id)}>
      <title>{lines.join("\n")}</title>
      <rect width={width} height={height} rx="8" />
      {lines.map((line, row) => <text key={line} x={width / 2} y={LINE * row + 20} text-anchor="middle">{line}</text>)}
      {lines.length === 0 && <text x={width / 2} y={20} text-anchor="middle">·</text>}
    </g>
  );
}

interface Ends {
  from: Place;
  to: Place;
  isLoop: boolean;
}

/// From the border of one box to that of another.
function ends(picture: Picture, places: Map<string, Place>, source: string, target: string): Ends {
  const centre = (id: string) => {
    const node = picture.nodes.find((each) => each.id === id);
    const place = places.get(id) ?? { x: 0, y: 0 };
    const size = node === undefined ? { width: 0, height: 0 } : sizeOf(node);
    return { x: place.x + size.width / 2, y: place.y + size.height / 2, ...size };
  };
  const [a, b] = [centre(source), centre(target)];
  const border = (box: typeof a, towards: Place): Place => {
    const [dx, dy] = [towards.x - box.x, towards.y - box.y];
    const by = Math.min(box.width / 2 / Math.max(Math.abs(dx), 1e-6), box.height / 2 / Math.max(Math.abs(dy), 1e-6));
    return { x: box.x + dx * Math.min(by, 1), y: box.y + dy * Math.min(by, 1) };
  };
  return { from: border(a, b), to: border(b, a), isLoop: source === target };
}

function Arrow({ each, picture, places, busy }: { each: Edge; picture: Picture; places: Map<string, Place>; busy: boolean }) {
  const { from, to, isLoop } = useMemo(() => ends(picture, places, each.source, each.target), [picture, places, each]);
  if (isLoop) {
    const node = picture.nodes.find((found) => found.id === each.source);
    const place = places.get(each.source) ?? { x: 0, y: 0 };
    const { width, height } = node === undefined ? { width: 0, height: 0 } : sizeOf(node);
    const [x, y] = [place.x + width, place.y + height / 2];
    return <g class="edge"><title>{each.label}</title><path d={`M${x} ${y - 7}C${x + 34} ${y - 24} ${x + 34} ${y + 24} ${x} ${y + 7}`} marker-end="url(#arrow)" /></g>;
  }
  const bend = { x: (from.x + to.x) / 2 + (to.y - from.y) * 0.08, y: (from.y + to.y) / 2 - (to.x - from.x) * 0.08 };
  return (
    <g class="edge">
      <title>{each.label}</title>
      <path d={`M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}`} marker-end="url(#arrow)" />
      {!busy && <text x={bend.x} y={bend.y} text-anchor="middle">{each.label}</text>}
    </g>
  );
}

function DoubtLine({ each, names, picture, places }: { each: Doubt; names: Names; picture: Picture; places: Map<string, Place> }) {
  const { from, to } = ends(picture, places, each.source, each.target);
  const side = 0.12 + 0.06 * names.agents.indexOf(each.agent);
  const bend = { x: (from.x + to.x) / 2 - (to.y - from.y) * side, y: (from.y + to.y) / 2 + (to.x - from.x) * side };
  return <path class={`doubt c${colourOf(names, each.agent)}`} d={`M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}`}><title>{`${each.agent} cannot tell them apart`}</title></path>;
}

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight"];

/// The picture as a file of its own: with its colours as they are on the page.
function asText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll<SVGElement>("rect, path, text");
  copy.querySelectorAll<SVGElement>("rect, path, text").forEach((each, place) => {
    const original = originals[place];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of KEPT) each.setAttribute(name, style.getPropertyValue(name));
  });
  return new XMLSerializer().serializeToString(copy);
}

async function asPng(svg: SVGSVGElement): Promise<void> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([asText(svg)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * svg.width.baseVal.value;
  canvas.height = 2 * svg.height.baseVal.value;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob !== null && download("picture.png", blob, "image/png"));
}
