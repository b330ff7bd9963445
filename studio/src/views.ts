import { signal } from "@preact/signals";

/// What can be looked at, beside the model itself.
export const VIEWS = ["model", "questions", "why", "explore", "pictures", "learn"] as const;
export type View = (typeof VIEWS)[number];
export const TITLES: Record<View, string> = {
  model: "Model", questions: "Questions", why: "Why", explore: "Explore", pictures: "Pictures", learn: "Learn",
};

export const view = signal<View>("questions");
