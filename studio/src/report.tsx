import { signal } from "@preact/signals";
import { render } from "preact";
import { useMemo } from "preact/hooks";
import { Badge } from "./parts";
import type { EvidenceData } from "./wire";
import { EvidenceView } from "./why/Evidence";
import "./style.css";

interface Answered {
  number: number;
  text: string;
  verdict: string;
  reason: string | null;
  evidence: EvidenceData | null;
}

/// What the page of a run has embedded.
interface Report {
  title: string;
  facts: string;
  warnings: string[];
  answers: Answered[];
}

function Section({ answer, evidence }: { answer: Answered; evidence: EvidenceData }) {
  const [trace, step, other] = useMemo(() => [signal(first(evidence)), signal(0), signal<number | null>(null)], [evidence]);
  const chooseTrace = (place: number) => {
    trace.value = place;
    step.value = 0;
    other.value = null;
  };
  return (
    <section id={`formula-${answer.number}`} class="report-section" aria-labelledby={`title-${answer.number}`}>
      <h2 class="asked" id={`title-${answer.number}`}><Badge word={answer.verdict} /> <span>{answer.number}.</span> <code>{answer.text}</code></h2>
      <EvidenceView evidence={evidence} mentions={[]} columns={[]} {...{ trace, step, other, chooseTrace }} name={`formula_${answer.number}`} />
    </section>
  );
}

function first(evidence: EvidenceData): number {
  return Math.max(evidence.traces.findIndex((each) => each.run.states.length > 1), 0);
}

function Page({ report }: { report: Report }) {
  return (
    <main class="report">
      <h1>{report.title}</h1>
      <p class="facts">{report.facts}</p>
      {report.warnings.map((each) => <p class="note warning" key={each}>{each}</p>)}
      <ol class="formulas">
        {report.answers.map((each) => (
          <li class="formula-row" key={each.number}>
            <Badge word={each.verdict} />
            <div class="formula-text">
              {each.evidence === null ? <code>{each.text}</code> : <a href={`#formula-${each.number}`}><code>{each.text}</code></a>}
              {each.reason !== null && <p class="formula-facts">{each.reason}</p>}
            </div>
          </li>
        ))}
      </ol>
      {report.answers.map((each) => each.evidence !== null && <Section key={each.number} answer={each} evidence={each.evidence} />)}
    </main>
  );
}

const data = document.getElementById("knower-data")?.textContent;
const place = document.getElementById("app");
if (data !== undefined && data !== null && place !== null) {
  document.documentElement.dataset["theme"] = "auto";
  place.replaceChildren();
  render(<Page report={JSON.parse(data) as Report} />, place);
}
