import type { Answer } from "../wire";

/// A model with questions and results, as one file. Who opens one trusts nothing in it.
export interface Share {
  format: "knower-share";
  version: 1;
  name: string;
  model: string;
  questions: string[];
  results: { text: string; verdict: string }[];
}

const LARGEST = 4_000_000;
const MOST = 500;

/// A share file as text.
export function shared(name: string, model: string, questions: readonly string[], answers: readonly Answer[]): string {
  const results = answers.filter((each) => each.engine !== "").map(({ text, verdict }) => ({ text, verdict }));
  const share: Share = { format: "knower-share", version: 1, name, model, questions: [...questions], results };
  return JSON.stringify(share, null, 2);
}

/// What is in a share file; an error says what is wrong with one. Its name is a name, never a path.
export function opened(content: string): Share {
  if (content.length > LARGEST) throw new Error("the file is too large");
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    throw new Error("this is no share file of Knower");
  }
  if (!isObject(data) || data["format"] !== "knower-share") throw new Error("this is no share file of Knower");
  if (data["version"] !== 1) throw new Error("this share file is of another version");
  const { name, model, questions, results } = data;
  if (typeof name !== "string" || typeof model !== "string" || !Array.isArray(questions) || !Array.isArray(results)) {
    throw new Error("something is missing in this share file");
  }
  return {
    format: "knower-share",
    version: 1,
    name: name.replaceAll(/[^\w -]+/g, "_").slice(0, 60) || "shared",
    model,
    questions: questions.filter((each): each is string => typeof each === "string").slice(0, MOST),
    results: results.flatMap((each: unknown) =>
      isObject(each) && typeof each["text"] === "string" && typeof each["verdict"] === "string" ? [{ text: each["text"], verdict: each["verdict"] }] : []).slice(0, MOST),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
