import { limits } from "../../../limits/index.ts";
import { estimateCharacters } from "../language/estimate-characters.ts";
import { isInputMessage } from "../program/outcome.ts";
import type { Sender } from "../program/state.ts";
import type { Step } from "./step.ts";

/**
 * Returns whether to pass the reply to the waiting block. If not, the step only returns the output that the client has
 * not received. `isAlone`: whether no client polls for this step.
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
  // If the input that the client received is still waiting, the reply is passed to the input. Otherwise only the
  // current output is shown.
  if (input && unseen.blockId === blockId) return true;
  if (isInputMessage(input)) record.input = input;
  else record.isPaused = true;
  return false;
}

/**
 * Stores the output of a step that the visitor's client did not request, up to a limit. The output is kept until the
 * client's next request.
 */
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

/**
 * Returns the last elements within the limits, so that the session's state stays small for any number of unanswered
 * steps.
 */
function lastOf<Shown>(all: readonly Shown[]): Shown[] {
  const kept = all.slice(-limits.timers.unseenMessages);
  while (estimateCharacters(kept) > limits.timers.unseenCharacters) kept.shift();
  return kept;
}
