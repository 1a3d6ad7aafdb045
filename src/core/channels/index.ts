import { blocks } from "../blocks/index.ts";
import { isInputMessage } from "../interpreter/program/outcome.ts";
import type { Channel } from "./channel.ts";
import { type AskAsKnown, type Piece, piecesOf, type StepOutput } from "./pieces.ts";
import { telegram } from "./telegram/index.ts";
import { webhook } from "./webhook/index.ts";

/** All supported channels by type. No other module refers to a specific channel. */
export const channels: ReadonlyMap<string, Channel> = new Map<string, Channel>([
  [telegram.type, telegram],
  [webhook.type, webhook],
]);

/** Returns the pieces of consecutive steps in order. */
export function piecesOfSteps(steps: readonly StepOutput[]): Piece[] {
  return piecesOf(steps, { asKnown, transcriptOf: (type) => blocks.get(type)?.bubble?.transcript });
}

const asKnown: AskAsKnown = (input) => {
  if (!isInputMessage(input)) return undefined;
  const known = blocks.get(input.type)?.input?.asKnown?.(input);
  if (!known) return undefined;
  const { said, type, options } = known;
  return { ...(said !== undefined && { said }), input: { id: input.id, type, ...(options && { options }) } };
};
