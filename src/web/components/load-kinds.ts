import type { Step } from "../conversation/step.ts";
import { loadAnswerActs } from "./answer-acts/index.ts";
import { bubbleKind, loadBubbles } from "./bubbles/index.ts";
import { inputKind, loadInput } from "./inputs/index.ts";

/** Loads the rare parts of these steps: kinds of bubbles, and of inputs, which also show their answers. */
export async function loadKinds(steps: readonly Step[]): Promise<void> {
  await Promise.all([
    loadBubbles(steps.flatMap(({ messages }) => messages)),
    ...steps.map(({ input }) => loadInput(input)),
    loadAnswerActs(steps),
  ]);
}

/** The style sheets of the rare parts of these steps, once these are loaded: for the server's documents. */
export function stylesOf(steps: readonly Step[]): readonly string[] {
  const open = steps.at(-1)?.input;
  const bubbles = steps.flatMap(({ messages }) => messages.map((bubble) => bubbleKind(bubble)?.css));
  const answers = steps.map(({ input }) => input && inputKind(input).answerCss);
  return [...new Set([open && inputKind(open).css, ...bubbles, ...answers])].filter((css) => css !== undefined);
}
