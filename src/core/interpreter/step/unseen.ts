import { limits } from "../../../limits/index.ts";
import { estimateCharacters } from "../language/estimate-characters.ts";
import { isInputMessage } from "../program/outcome.ts";
import type { Sender } from "../program/state.ts";
import type { Step } from "./step.ts";

/**
 * Whether to give the reply to the waiting block. Otherwise the step only shows the output that the client was not
 * shown yet. `isAlone`: no client looks for this step.
 */
export function catchUp(step: Step, { sender, isAlone }: { sender: Sender | undefined; isAlone: boolean }): boolean {
  const { unseen, record, blockId } = step;
  if (sender === "other") {
    const seen = unseen?.blockId ?? (isAlone ? blockId : undefined);
    if (seen !== undefined) record.unseenAt = seen;
    return true;
  }
  step.unseen = undefined;
  if (!unseen || sender !== "unaware") return true;
  const { messages, actions, input } = unseen;
  record.repeated = { messages, actions };
  // The visitor answers a question that is still open, or a question that is over.
  if (input && unseen.blockId === blockId) return true;
  if (isInputMessage(input)) record.input = input;
  else record.isPaused = true;
  return false;
}

/** Stores the output of a step that no request of the visitor's client took, until the client asks. */
export function keepUnseen(step: Step): void {
  const { record, unseen } = step;
  const { unseenAt: blockId, input } = record;
  if (blockId === undefined) return;
  step.unseen = {
    blockId,
    messages: lastOf([...(unseen?.messages ?? []), ...record.messages]),
    actions: lastOf([...(unseen?.actions ?? []), ...record.actions]),
    ...(input && { input }),
  };
}

/** The state of a session stays small, for any number of unanswered steps. */
function lastOf<Shown>(all: readonly Shown[]): Shown[] {
  const kept = all.slice(-limits.timers.unseenMessages);
  while (estimateCharacters(kept) > limits.timers.unseenCharacters) kept.shift();
  return kept;
}
