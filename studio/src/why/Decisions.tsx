import { colourOf, type Names } from "../values";
import type { DecisionTableData, EvidenceData, RowData } from "../wire";

/// Strategies in few rows, made by the server: the first row that applies counts. Where there is no such
/// table, what is done is told case by case.
export function Decisions({ evidence }: { evidence: EvidenceData }) {
  const proofs = evidence.proofs.filter((each) => each.tables.length + each.rows.length > 0);
  if (proofs.length === 0) return null;
  return (
    <div class="decisions">
      {proofs.map((proof, place) => (
        <div key={place}>
          {proof.tables.map((each) => <DecisionTable key={each.agents.join()} names={evidence} each={each} rows={proof.rows.length} />)}
          {proof.tables.length === 0 && <Cases names={evidence} rows={proof.rows} />}
        </div>
      ))}
    </div>
  );
}

function DecisionTable({ names, each, rows }: { names: Names; each: DecisionTableData; rows: number }) {
  const used = each.variables.flatMap((_, place) => (each.rows.some((row) => row.conditions.some((one) => one.place === place)) ? [place] : []));
  return (
    <figure class="decision-table">
      <figcaption>
        {each.agents.join(", ")} {each.reads_states ? "by the whole state" : "by what is seen"}: {count(each.rows.length, "row")}
        {rows > each.rows.length ? ` for ${count(rows, "case")}` : ""}
      </figcaption>
      <div class="scroll" tabIndex={0} role="region" aria-label={`what ${each.agents.join(", ")} does`}>
        <table>
          <thead>
            <tr>
              {used.map((place) => <th scope="col" key={place} class={`c${colourOf(names, each.variables[place]?.[0] ?? "")}`}>{each.variables[place]?.join(".")}</th>)}
              {each.agents.map((agent) => <th scope="col" key={agent}>{agent} does</th>)}
            </tr>
          </thead>
          <tbody>
            {each.rows.map((row, number) => (
              <tr key={number}>
                {used.map((place) => <td key={place}>{row.conditions.find((one) => one.place === place)?.values.join(" or ") ?? "any"}</td>)}
                {row.actions.map((action, agent) => <td key={each.agents[agent]}><strong>{action ?? "–"}</strong></td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/// So many cases are listed; the story has all of them.
const MOST = 500;

function Cases({ names, rows }: { names: Names; rows: readonly RowData[] }) {
  return (
    <details>
      <summary>What is done, case by case: {rows.length}</summary>
      <ul>
        {rows.slice(0, MOST).map((row, place) => (
          <li key={place}>{row.agents.map((agent, seat) => `${agent}: ${row.actions[seat] ?? "–"}`).join(", ")} <span class="quiet-text">{seen(names, row)}</span></li>
        ))}
      </ul>
    </details>
  );
}

function seen(names: Names, row: RowData): string {
  const [agent] = row.agents;
  const places = names.variables.flatMap((each, place) => (row.agents.length > 1 || (agent !== undefined && each.seen.includes(agent)) ? [place] : []));
  const whole = row.sees.length === names.variables.length ? names.variables.map((_, place) => place) : places;
  return row.sees.map((value, place) => `${names.variables[whole[place] ?? -1]?.name ?? "?"} = ${value}`).join(", ");
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
