import { useSignal } from "@preact/signals";
import { Note } from "../parts";
import { csv, download } from "../values";
import type { ConstantFacts } from "../wire";
import { asTable, experiment, isRunning, points, stop, trouble, type Point } from "./experiment";

/// Many values of constants, one table: verdicts, states and seconds of each, and how they grow.
export function Experiments({ known }: { known: readonly ConstantFacts[] }) {
  const numbers = known.filter((each) => each.kind === "number");
  const written = useSignal<Record<string, string>>({});
  const formula = useSignal("");
  const begin = (event: Event) => {
    event.preventDefault();
    const given = Object.fromEntries(numbers.flatMap(({ name }) => (written.value[name]?.trim() ? [[name, written.value[name] ?? ""]] : [])));
    void experiment(given, formula.value);
  };
  return (
    <section class="experiments" aria-labelledby="experiments-title">
      <h2 id="experiments-title">Experiments</h2>
      <form class="toolbar wrap" onSubmit={begin}>
        {numbers.map(({ name, value }) => (
          <label class="choice" key={name}><span>{name} =</span>
            <input type="text" size={7} placeholder={`${value}..${Number(value) + 2}`} value={written.value[name] ?? ""}
              onInput={(event) => (written.value = { ...written.value, [name]: event.currentTarget.value })} />
          </label>
        ))}
        <label class="choice"><span>of</span>
          <input type="text" placeholder="the formulas of the file" value={formula.value} onInput={(event) => (formula.value = event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={isRunning.value}>Run</button>
        {isRunning.value && <button type="button" onClick={stop}>Stop</button>}
        {points.value.length > 0 && <button type="button" onClick={() => download("experiment.csv", csv(asTable(points.value)), "text/csv")}>CSV</button>}
      </form>
      {trouble.value !== null && <Note kind="error">{trouble.value}</Note>}
      {points.value.length > 0 && <Results found={points.value} />}
      {points.value.length > 1 && <Plot found={points.value} />}
    </section>
  );
}

function Results({ found }: { found: readonly Point[] }) {
  const [header = [], ...rows] = asTable(found);
  const shown = found.some((each) => each.trouble !== null) ? header : header.slice(0, -1);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="results of the experiment">
      <table>
        <thead><tr>{shown.map((each) => <th scope="col" key={each}>{each}</th>)}</tr></thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>{shown.map((name, column) => (
              <td key={name} class={found[place]?.cells[name]?.isExpected === false ? "unexpected" : ""}>{row[column]}</td>
            ))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const [WIDTH, HEIGHT, EDGE] = [420, 170, 44];

/// Seconds and states of each run, on scales of powers of ten.
function Plot({ found }: { found: readonly Point[] }) {
  const series = [
    { name: "seconds", values: found.map((each) => each.seconds) },
    { name: "states", values: found.map((each) => (each.states === null ? null : Number(each.states))) },
  ];
  return (
    <div class="plots">
      {series.map(({ name, values }) => <Curve key={name} name={name} values={values} labels={found.map((each) => Object.values(each.constants).join(", "))} />)}
    </div>
  );
}

function Curve({ name, values, labels }: { name: string; values: readonly (number | null)[]; labels: readonly string[] }) {
  const known = values.flatMap((each) => (each !== null && each > 0 ? [Math.log10(each)] : []));
  if (known.length === 0) return null;
  const [low, high] = [Math.floor(Math.min(...known)), Math.max(Math.ceil(Math.max(...known)), Math.floor(Math.min(...known)) + 1)];
  const x = (place: number) => EDGE + (place * (WIDTH - EDGE - 16)) / Math.max(values.length - 1, 1);
  const y = (power: number) => HEIGHT - 26 - ((power - low) * (HEIGHT - 44)) / (high - low);
  const dots = values.flatMap((each, place) => (each !== null && each > 0 ? [{ place, x: x(place), y: y(Math.log10(each)), each }] : []));
  const powers = Array.from({ length: high - low + 1 }, (_, place) => low + place);
  return (
    <svg class="plot" role="img" aria-label={`${name} of each run`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT}>
      <text x={EDGE} y={12}>{name}</text>
      {powers.map((power) => (
        <g key={power}><line class="grid-line" x1={EDGE} x2={WIDTH - 8} y1={y(power)} y2={y(power)} /><text x={EDGE - 6} y={y(power) + 4} text-anchor="end">{power < -2 || power > 4 ? `1e${power}` : 10 ** power}</text></g>
      ))}
      <polyline points={dots.map((each) => `${each.x},${each.y}`).join(" ")} />
      {dots.map((each) => <circle key={each.place} cx={each.x} cy={each.y} r={3.5}><title>{`${labels[each.place]}: ${each.each}`}</title></circle>)}
      {dots.map((each) => <text key={`t${each.place}`} x={each.x} y={HEIGHT - 8} text-anchor="middle">{labels[each.place]}</text>)}
    </svg>
  );
}
