import type { Step } from "../../conversation/step.ts";

type Parts = typeof import("./AnswerActs.tsx");

let loaded: Parts | undefined;

/** Loads the components that are shown below answers, if one of these steps needs them. */
export async function loadAnswerActs(steps: readonly Step[]): Promise<void> {
  if (!steps.some(({ messages }) => messages.some(({ unfinished }) => unfinished))) return;
  [loaded] = await Promise.all([import("./AnswerActs.tsx"), import("../../conversation/rare-words.ts")]);
}

/** Returns the components that are shown below answers; undefined until they are loaded. */
export function answerActs(): Parts | undefined {
  return loaded;
}
