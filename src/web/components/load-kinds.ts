import type { Step } from "../conversation/step.ts";
import { loadAnswerActs } from "./answer-acts/index.ts";
import { bubbleKind, loadBubbles } from "./bubbles/index.ts";
import { inputKind, loadInput } from "./inputs/index.ts";

/**
 * Loads the rare kinds of bubbles and inputs in these steps, and the marks of incomplete answers. Inputs of earlier
 * steps are included, because the kinds also draw the answers.
 */
export async function loadKinds(steps: readonly Step[]): Promise<void> {
  await Promise.all([
    loadBubbles(steps.flatMap(({ messages }) => messages)),
    ...steps.map(({ input }) => loadInput(input)),
    loadAnswerActs(steps),
  ]);
}

/**
 * Returns the style sheets of the rare kinds in these steps, once they are loaded. The server includes them in its
 * documents.
 */
export function stylesOf(steps: readonly Step[]): readonly string[] {
  const open = steps.at(-1)?.input;
  const bubbles = steps.flatMap(({ messages }) => messages.map((bubble) => bubbleKind(bubble)?.css));
  const answers = steps.map(({ input }) => input && inputKind(input).answerCss);
  return [...new Set([open && inputKind(open).css, ...bubbles, ...answers])].filter((css) => css !== undefined);
}
