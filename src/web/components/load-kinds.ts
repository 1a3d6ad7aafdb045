import type { Step } from "../conversation/step.ts";
import { loadBubbles } from "./bubbles/index.ts";
import { loadInput } from "./inputs/index.ts";

/** Loads what these steps show and few chats have: kinds of bubbles, and of inputs, which show what was answered to them, too. */
export async function loadKinds(steps: readonly Step[]): Promise<void> {
  await Promise.all([
    loadBubbles(steps.flatMap(({ messages }) => messages)),
    ...steps.map(({ input }) => loadInput(input)),
  ]);
}
