import type { BlockBase } from "../../interpreter/program/block.ts";
import type { ClientAction, Outcome, StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type AnswerBubble, answerBubble } from "./answer-bubble.ts";

/**
 * The action for a client that shows answers while they are streamed. The client requests the answer, shows it in place
 * of the bubble after the block, and then sends a reply:
 *
 *     block reached ─ the next bubble can show a stream ────→ paused at the block, with this action
 *     paused at the block ─ the client requests the answer ─→ requested: a step shows the bubble and pauses after it
 *     paused after the bubble ─ the client replies ─────────→ the step continues for any reply
 *     paused at the block ─ the client replies ─────────────→ requested: the step continues after the bubble
 */
export const streamAction: ClientAction = { type: "stream", stream: true, expectsDedicatedReply: true };

/**
 * The stream action for flows created before the `openai` type existed. The model's messages are not sent to the
 * client.
 */
export const legacyStreamAction: ClientAction = {
  type: "streamOpenAiChatCompletion",
  streamOpenAiChatCompletion: { messages: [] },
  expectsDedicatedReply: true,
};

/**
 * Returns a pause in which the visitor's client streams the answer, if streaming is enabled and a bubble can show the
 * answer. Otherwise returns the outcome unchanged.
 */
export function unlessStreamed(outcome: Outcome, view: View, action: ClientAction): Outcome {
  if (!view.isStreamEnabled || outcome.kind !== "perform") return outcome;
  const { effect } = outcome;
  return effect.kind === "model" && effect.show !== undefined ? { kind: "pause", actions: [action] } : outcome;
}

/** Marks the text as already displayed if the visitor's client has rendered it in place of the bubble. */
export function streamed(text: string, bubble: AnswerBubble | undefined, view: View): Pick<Outcome, "streamed"> {
  return view.isStreamed && bubble?.isExact ? { streamed: { text, bubbleId: bubble.id } } : {};
}

/**
 * Explains to the author in a preview why an answer is not streamed to the page. Returns no log entry if there is
 * nothing to explain.
 */
export function notStreamed(
  block: BlockBase,
  variableId: string | undefined,
  view: View,
  reason = reasonAgainst(block, variableId, view),
): StepLog[] {
  if (!view.isStreamEnabled || view.isLive) return [];
  return reason === undefined ? [] : [{ status: "info", description: `The answer is not streamed: ${reason}` }];
}

function reasonAgainst(block: BlockBase, variableId: string | undefined, view: View): string | undefined {
  if (variableId === undefined) return "no variable stores it";
  if (answerBubble(block, variableId, view)?.isExact) return undefined;
  const name = view.variables.nameOf(variableId);
  return `the next block is not a text bubble that contains only {{${name}}}`;
}
