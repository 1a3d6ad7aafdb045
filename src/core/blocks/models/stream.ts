import type { BlockBase } from "../../interpreter/program/block.ts";
import type { ClientAction, Outcome, StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type AnswerBubble, answerBubble } from "./answer-bubble.ts";

/**
 * The action for a client that draws answers while they are streamed. It asks for the answer, draws it in place of the
 * bubble after the block, and reports back:
 *
 *     reached ─ the next bubble can grow ──────────→ paused at the block, with this action
 *     paused at the block ─ it asks for the answer ─→ asked: a step that shows the bubble, and pauses behind it
 *     paused after the bubble ─ it reports back ────→ the walk continues, whatever it reports
 *     paused at the block ─ it reports back ────────→ asked: the walk continues after the bubble
 */
export const streamAction: ClientAction = { type: "stream", stream: true, expectsDedicatedReply: true };

/** Like `streamAction`, for flows that were written before `openai`. The model's messages are not sent. */
export const legacyStreamAction: ClientAction = {
  type: "streamOpenAiChatCompletion",
  streamOpenAiChatCompletion: { messages: [] },
  expectsDedicatedReply: true,
};

/** A block's outcome, unless the visitor's client asks for the answer. */
export function unlessStreamed(outcome: Outcome, view: View, action: ClientAction): Outcome {
  if (!view.isStreamEnabled || outcome.kind !== "perform") return outcome;
  const { effect } = outcome;
  return effect.kind === "model" && effect.show !== undefined ? { kind: "pause", actions: [action] } : outcome;
}

/** The rest of the outcome if the visitor's client has drawn this text in place of the bubble. */
export function streamed(text: string, bubble: AnswerBubble | undefined, view: View): Pick<Outcome, "streamed"> {
  return view.isStreamed && bubble?.isExact ? { streamed: { text, bubbleId: bubble.id } } : {};
}

/** Tells the author of a previewed flow why an answer does not grow on the page. */
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
  if (variableId === undefined) return "no variable gets it";
  if (answerBubble(block, variableId, view)?.isExact) return undefined;
  const name = view.variables.nameOf(variableId);
  return `the next block is no text bubble whose first text is {{${name}}} and nothing else`;
}
