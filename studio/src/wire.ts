// Made of the server's JSON schema by `python -m knower.studio.typescript`. Not to be edited.

/// What an agent can do, and what it has but cannot do here.
export interface AgentChoices {
  agent: string;
  enabled: string[];
  disabled: string[];
}

/// An agent, and the line it is declared at.
export interface AgentFacts {
  name: string;
  actions: string[];
  line: number;
  variables: string[];
}

/// What is said in all reachable worlds, one after the other; and what is asked then.
export interface Announce {
  model: string;
  states: ((boolean | number | string)[])[];
  said: string[];
  asked: string;
}

/// The worlds that are left (their places), how many after each announcement, and where it holds.
export interface Announced {
  left: number[];
  counts: number[];
  holds: number[];
}

/// Other evidence, and the run it is of.
export interface Another {
  run: number;
  number: number;
  why: Why;
}

/// What is known of one formula. `name`: of the file. `explained`: `why` can be asked.
export interface Answer {
  number: number;
  name: string | null;
  text: string;
  logic: string;
  verdict: "true" | "false" | "unknown";
  expected: "true" | "false" | "unknown";
  reason: string | null;
  seconds: number;
  engine: string;
  atl: string | null;
  explained: string | null;
  left_out: string | null;
  pending: boolean;
  warnings: string[];
}

/// Decide formulas; None: those of the file, and whether it has deadlocks and overflows.
export interface Ask {
  model: string;
  formulas: string[] | null;
  options: CheckOptions;
}

/// Other evidence for the same "false": from another initial state, or by another successor at a step. `states`: the path up to the step, or nothing; `avoid`: initial states, or successors, that were seen.
export interface AskAnother {
  run: number;
  number: number;
  states: ((boolean | number | string)[])[];
  avoid: ((boolean | number | string)[])[];
}

/// What of a model never happens.
export interface AskCoverage {
  model: string;
}

/// States and steps: from the beginning, or around a state; at most so many.
export interface AskGraph {
  model: string;
  most: number;
  around: (boolean | number | string)[] | null;
}

/// What holds at a state, and who knows it.
export interface AskKnown {
  model: string;
  state: (boolean | number | string)[];
  formulas: string[];
}

/// What some agents together take for possible at a state.
export interface AskPossible {
  model: string;
  state: (boolean | number | string)[];
  agents: string[];
}

/// A step of a model: which lines fired.
export interface AskStep {
  model: string;
  before: (boolean | number | string)[];
  action: (string | null)[];
  after: (boolean | number | string)[];
}

/// The evidence for one answer of a run.
export interface AskWhy {
  run: number;
  number: number;
}

/// Why an agent cannot do something here; or, with a joint action, which of its lines do not fire.
export interface AskWhyNot {
  model: string;
  state: (boolean | number | string)[];
  agent: string;
  wanted: string | null;
  action: (string | null)[] | null;
}

/// The first initial states, or those that satisfy a condition.
export interface Begin {
  model: string;
  where: string;
}

/// An initial state and the proof there.
export interface CaseData {
  start: (boolean | number | string)[];
  proof: number;
}

/// How to read and decide; what is left out is as usual.
export interface CheckOptions {
  engine?: string;
  method?: string;
  atl?: string;
  on_deadlock?: string;
  finite?: boolean;
  bound?: number;
  seconds?: number;
  vacuity?: boolean;
  evidence?: "auto" | "none" | "all";
}

/// A check that is over; `run` is its number for `why`.
export interface Checked {
  run: number;
  engine: string;
  states: string | null;
  seconds: number;
  stopped: boolean;
  answers: Answer[];
  notices: Notice[];
  deadlock: "found" | "none" | "unknown";
  overflow: "found" | "none" | "unknown";
  statistics: Record<string, string | number>;
}

/// The values of one expression; None where it has none. `problem`: why there are none.
export interface Column {
  text: string;
  values: (boolean | number | string | null)[];
  problem: string | null;
}

/// A column for each expression.
export interface Columns {
  columns: Column[];
}

/// The variable at this place of the table's has one of these values.
export interface ConditionData {
  place: number;
  values: (boolean | number | string)[];
}

/// A part of a condition, and whether it holds.
export interface Conjunct {
  text: string;
  holds: boolean;
}

/// A constant of a model, its value as it is written, and of what kind that is.
export interface ConstantFacts {
  name: string;
  value: string;
  kind: "number" | "boolean" | "set";
}

/// Lines and actions that come to nothing in the states looked at; `complete`: in all there are.
export interface CoverageData {
  states: number;
  complete: boolean;
  lines: SourceLine[];
  actions: IdleAction[];
}

/// Where all conditions hold, this is done: an action for each agent of the table.
export interface DecisionData {
  conditions: ConditionData[];
  actions: (string | null)[];
}

/// A strategy in few rows: the first that applies counts; where none does, anything enabled will do. `variables`: owners and names of what it goes by, that is what its one agent sees, or the whole state.
export interface DecisionTableData {
  agents: string[];
  variables: string[][];
  reads_states: boolean;
  rows: DecisionData[];
}

/// What values a variable can have: `values` is empty for long ranges.
export interface Domain {
  kind: "boolean" | "enum" | "range";
  values: (boolean | number | string)[];
  text: string;
}

/// What was typed and not saved, and the hash of the file it began from.
export interface DraftText {
  text: string;
  base: string | null;
}

/// Steps from one state to another: some of their joint actions, and how many there are.
export interface EdgeData {
  source: number;
  target: number;
  actions: ((string | null)[])[];
  count: number;
}

/// Why a verdict is what it is. `proofs` are referred to by their places, paths are in `traces`.
export interface EvidenceData {
  kind: "witness" | "counterexample" | "strategy";
  replay: string;
  unreplayed: string[];
  others: number;
  agents: string[];
  variables: VariableData[];
  cases: CaseData[];
  proofs: ProofData[];
  traces: TraceData[];
  story: string[];
}

/// Why there is no answer. `forgotten`: the model has to be opened again. `found`: of a conflict.
export interface Failure {
  kind: "input" | "limit" | "forgotten" | "conflict" | "refused" | "fault" | "stopped";
  problems: Problem[];
  found?: string | null;
}

/// All of them.
export interface Families {
  families: FamilyData[];
}

/// Models that differ in a few parameters.
export interface FamilyData {
  name: string;
  description: string;
  source: string;
  parameters: ParameterData[];
}

/// A file as it is now, and the draft of it; without a hash there is only the draft.
export interface FileText {
  path: string;
  text: string;
  hash: string | null;
  draft: DraftText | null;
}

/// The model files there are.
export interface Files {
  files: string[];
}

/// The lines that made a step what it was.
export interface Fired {
  lines: SourceLine[];
}

/// A formula of the file, and where it stands.
export interface FormulaFacts {
  text: string;
  logic: string;
  expected: "true" | "false" | "unknown";
  line: number;
}

/// A request: `args` are those of its call. The first message has the token instead.
export interface FromBrowser {
  token?: string;
  id?: number;
  call?: string;
  cancel?: number;
}

/// A member of a family.
export interface Generate {
  name: string;
  values: Record<string, number | string>;
}

/// Its text.
export interface Generated {
  name: string;
  text: string;
}

/// States and the steps between them. `complete`: all that are reachable; else the nearest ones.
export interface GraphData {
  states: ((boolean | number | string)[])[];
  initial: boolean[];
  fair: boolean[];
  edges: EdgeData[];
  complete: boolean;
}

/// What the server is and has. `drafts`: the files with changes that were not saved.
export interface Hello {
  version: number;
  knower: string;
  root: string;
  first: string | null;
  files: string[];
  drafts: string[];
  engines: string[];
  methods: string[];
  readings: string[];
  deadlocks: string[];
  seconds: number;
}

/// An action that an agent never does.
export interface IdleAction {
  agent: string;
  action: string;
}

/// Keep what was typed; None forgets it.
export interface KeepDraft {
  path: string;
  draft: DraftText | null;
}

/// One formula at a state: whether it holds, and how each agent stands to it.
export interface Known {
  text: string;
  holds: boolean | null;
  stances: Record<string, string>;
  problem: string | null;
}

/// One for each formula.
export interface Knowns {
  known: Known[];
}

/// A line, whether its condition holds, and which parts of it do.
export interface LineReason {
  line: SourceLine;
  holds: boolean;
  conjuncts: Conjunct[];
}

/// A state to look at.
export interface Look {
  model: string;
  state: (boolean | number | string)[];
}

/// What a model consists of.
export interface ModelFacts {
  agents: AgentFacts[];
  variables: VariableData[];
  domains: Domain[];
  propositions: string[];
  groups: Record<string, string[]>;
  formulas: FormulaFacts[];
  fairness: number;
  combinations: string;
  constants: ConstantFacts[];
}

/// A joint action that is enabled, where it leads, and what goes wrong with it.
export interface MoveData {
  action: (string | null)[];
  states: ((boolean | number | string)[])[];
  count: string;
  trouble: string | null;
}

/// The joint actions in which some agents do this.
export interface Moves {
  model: string;
  state: (boolean | number | string)[];
  only: Record<string, string>;
}

/// What is met at a position of a path.
export interface NoteData {
  position: number;
  text: string;
}

/// No arguments, or no answer but that it is done.
export interface Nothing {
}

/// What makes verdicts misleading, with a path that shows it if there is one.
export interface Notice {
  code: string;
  message: string;
  run: RunData | null;
}

/// Read a text as a model. `constants`: values in the place of those of the text, as they are written.
export interface OpenModel {
  name: string;
  text: string;
  constants: Record<string, string>;
}

/// A model, by the name the server knows it by from now on; or the problems of its text.
export interface Opened {
  model: string;
  problems: Problem[];
  facts: ModelFacts | null;
}

/// What can be chosen in a family: a number, or one of some words.
export interface ParameterData {
  name: string;
  help: string;
  default: number | string;
  words: string[];
  allowed: string;
}

/// A proof below another one, and at which position of its path it stands.
export interface PartData {
  proof: number;
  position: number | null;
}

/// A model file, by its path from the root.
export interface Path {
  path: string;
}

/// Something wrong or suspicious in a text; places count as JavaScript does.
export interface Problem {
  severity: "error" | "warning";
  code: string;
  message: string;
  cure: string | null;
  line: number | null;
  column: number | null;
  start: number | null;
  end: number | null;
}

/// That a formula holds at a state, and what shows it.
export interface ProofData {
  kind: "fact" | "cited" | "both" | "either" | "way" | "doubt" | "instance" | "strategy" | "refusal" | "blind" | "play";
  formula: string;
  state: (boolean | number | string)[];
  why: string;
  parts: PartData[];
  met: NoteData[];
  members: string[];
  by_observation: boolean;
  starts: ((boolean | number | string)[])[];
  rows: RowData[];
  tables: DecisionTableData[];
  turns: TurnData[];
}

/// A choice of the coalition and the answer to it.
export interface ReplyData {
  choice: Record<string, string>;
  joint: (string | null)[] | null;
  then: number | null;
}

/// What some agents do on seeing something: of all variables, or of those that one agent sees.
export interface RowData {
  agents: string[];
  sees: (boolean | number | string)[];
  actions: (string | null)[];
}

/// A path: states by the order of variables, joint actions by that of agents; where its loop begins.
export interface RunData {
  states: ((boolean | number | string)[])[];
  actions: ((string | null)[])[];
  loop: number | null;
  end: number | null;
}

/// How far a check is.
export interface Running {
  phase: string;
  seconds: number;
  figures: Record<string, string | number>;
  states: string | null;
  answers: Answer[];
}

/// Write a file that is still what it was; without a hash it must not be there yet.
export interface Save {
  path: string;
  text: string;
  hash: string | null;
}

/// What the file is now; None where there is none.
export interface Saved {
  hash: string | null;
}

/// A state, and what can be done there. `ways`: how many joint actions there are; some are in `moves`.
export interface Situation {
  initial: boolean;
  propositions: string[];
  choices: AgentChoices[];
  ways: string;
  moves: MoveData[];
}

/// A line of a model: where it stands, and what it says.
export interface SourceLine {
  agent: string;
  section: "Protocol" | "Evolution";
  line: number;
  last: number;
  text: string;
}

/// Some states, and how many there are; None where nobody has counted.
export interface States {
  states: ((boolean | number | string)[])[];
  count: string | null;
}

/// A reply: news on the way, or one of `done` and `failed` at the end.
export interface ToBrowser {
  id: number;
  failed?: Failure;
}

/// A path that some proof shows, and what it is shown for. `forever`: shown for all its positions.
export interface TraceData {
  title: string;
  proof: number;
  run: RunData;
  forever: boolean;
  agents: string[];
}

/// A state in a play against a coalition.
export interface TurnData {
  state: (boolean | number | string)[];
  replies: ReplyData[];
  over: boolean;
  proof: number | null;
}

/// A variable: whose it is, its name, and the agents that see it.
export interface VariableData {
  owner: string;
  name: string;
  seen: string[];
}

/// A random walk from a state, or from some initial one.
export interface Walk {
  model: string;
  state: (boolean | number | string)[] | null;
  steps: number;
  seed: number;
}

/// A path.
export interface Walked {
  run: RunData;
}

/// Formulas and terms at states, without any check.
export interface Watch {
  model: string;
  expressions: string[];
  states: ((boolean | number | string)[])[];
}

/// Evidence, and which variables the formula speaks of (their places).
export interface Why {
  formula: string;
  verdict: "true" | "false" | "unknown";
  evidence: EvidenceData;
  mentions: number[];
}

/// The lines that could have done it.
export interface WhyNot {
  lines: LineReason[];
}

/// What can be asked of the server: arguments, the answer, and what is told on the way.
export interface Calls {
  announce: { args: Announce; done: Announced; news: never };
  another: { args: AskAnother; done: Another; news: never };
  begin: { args: Begin; done: States; news: never };
  check: { args: Ask; done: Checked; news: Running };
  coverage: { args: AskCoverage; done: CoverageData; news: never };
  draft: { args: KeepDraft; done: Nothing; news: never };
  families: { args: Nothing; done: Families; news: never };
  files: { args: Nothing; done: Files; news: never };
  fired: { args: AskStep; done: Fired; news: never };
  generate: { args: Generate; done: Generated; news: never };
  graph: { args: AskGraph; done: GraphData; news: never };
  hash: { args: Path; done: Saved; news: never };
  hello: { args: Nothing; done: Hello; news: never };
  known: { args: AskKnown; done: Knowns; news: never };
  look: { args: Look; done: Situation; news: never };
  moves: { args: Moves; done: Situation; news: never };
  open: { args: OpenModel; done: Opened; news: never };
  play: { args: AskWhy; done: GraphData; news: never };
  possible: { args: AskPossible; done: States; news: never };
  read: { args: Path; done: FileText; news: never };
  save: { args: Save; done: Saved; news: never };
  walk: { args: Walk; done: Walked; news: never };
  watch: { args: Watch; done: Columns; news: never };
  why: { args: AskWhy; done: Why; news: never };
  whynot: { args: AskWhyNot; done: WhyNot; news: never };
}
