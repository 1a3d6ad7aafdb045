import { textMessage } from "../evaluation/text-content.ts";
import type { Value } from "../language/values.ts";
import type { PreparedBlock } from "../program/block.ts";
import type { Report } from "../program/effect.ts";
import type { Outcome, ReplyVerdict } from "../program/outcome.ts";
import { type Place, systemMessage } from "../program/program.ts";
import { type DueReply, notAsking, type Reply, type StepReply } from "../program/state.ts";
import type { Write } from "../program/variables.ts";
import { defaultSystemMessages } from "../schemas/defaults.ts";
import { fireInvalidReplyEvent, fireReplyEvent, hasInvalidReplyEvent } from "./events.ts";
import { dropSeed } from "./seeds.ts";
import { answerText, ask, currentFrame, type Frame, keptOf, prepare, produce, type Step, visitEdge } from "./step.ts";
import { viewOf } from "./step-view.ts";
import { endTimer } from "./timers.ts";
import type { Answering, Performing, Start } from "./walk.ts";

/**
 * The state after a reply: a walk starts, the block has its own outcome or requires an effect, or the input is shown
 * again.
 */
export type Replied =
  | { readonly kind: "performing"; readonly performing: Performing }
  | { readonly kind: "walk"; readonly start: Start }
  | { readonly kind: "outcome"; readonly place: Place; readonly block: PreparedBlock; readonly outcome: Outcome }
  | { readonly kind: "asked" };

/**
 * Passes the reply to the waiting block. With `isReplay` the reply event does not run. A rejected reply (`invalid`)
 * does not fail the step: the input is shown again, or the invalid-reply event starts.
 */
export function takeReply(step: Step, reply: StepReply | null, { isReplay = false } = {}): Replied {
  const { program } = currentFrame(step);
  const place = step.blockId === undefined ? undefined : program.places.get(step.blockId);
  const block = place && prepare(step, program, place.block);
  if (!place || !block) return { kind: "walk", start: { hop: undefined } };
  delete step.record.input;
  delete step.record.isPaused;
  if (reply && isDue(reply)) return goOnUnanswered(step, place, block, reply);
  const { input } = block.definition;
  if (!input) return resume(step, place, block, reply);

  if (namesStrangeFiles(reply)) return takeVerdict(step, place, block, { kind: "invalid" }, { reply, isReplay });
  const kept = keptOf(step, block.base.id);
  const outcome =
    reply?.type === "payment" ? block.paid(viewOf(step), reply, kept) : block.reply(viewOf(step), reply, kept);
  if (outcome.kind !== "perform") return takeVerdict(step, place, block, outcome, { reply, isReplay });
  const { effect, memo } = outcome;
  return {
    kind: "performing",
    performing: { blockId: block.base.id, effect, memo, answering: { reply, isReplay } },
  };
}

/** Continues the handling of a reply after the effect that determines its outcome. */
export function takeReplyReport(
  step: Step,
  { blockId, report, memo }: { blockId: string; report: Report; memo: unknown },
  answering: Answering,
): Replied {
  const { program } = currentFrame(step);
  const place = program.places.get(blockId);
  const block = place && prepare(step, program, place.block);
  if (!place || !block) return { kind: "walk", start: { hop: undefined } };
  const verdict = block.replyReport(viewOf(step), report, memo, keptOf(step, blockId));
  return takeVerdict(step, place, block, verdict, answering);
}

function takeVerdict(
  step: Step,
  place: Place,
  block: PreparedBlock,
  outcome: ReplyVerdict,
  { reply, isReplay }: Answering,
): Replied {
  const { input } = block.definition;
  if (outcome.kind === "accepted" && outcome.writes && input?.writesBeforeReplyEvent)
    produce(step, { writes: outcome.writes });
  const start =
    outcome.kind === "invalid" && !outcome.isPatient && hasInvalidReplyEvent(step)
      ? fireInvalidReplyEvent(step, { place, block, reply })
      : reply && !isReplay && fireReplyEvent(step, { place, block, reply });
  if (start) return { kind: "walk", start };
  switch (outcome.kind) {
    case "invalid":
      return askAgain(step, place, block, outcome);
    case "skipped":
      forget(step, block);
      dropSeed(step, block.base.id);
      if (step.timer) endTimer(step);
      return { kind: "walk", start: startAfter(place) };
    case "accepted":
      return accept(step, place, block, reply, outcome);
    default:
      return outcome satisfies never;
  }
}

/**
 * Handles an expired time limit. The flow continues by the time-out's edge. Without such an edge, it continues as after
 * a skipped reply.
 */
function goOnUnanswered(step: Step, place: Place, { base, timeoutEdgeId }: PreparedBlock, { type }: DueReply): Replied {
  endTimer(step);
  forget(step, { base });
  if (type !== "timeout" || timeoutEdgeId === undefined) return { kind: "walk", start: startAfter(place) };
  if (timeoutEdgeId !== base.outgoingEdgeId) visitEdge(step, timeoutEdgeId);
  return { kind: "walk", start: { hop: { edgeId: timeoutEdgeId } } };
}

/**
 * Deletes the data that the input stored during its visit. Data of another input is kept, because a command or event
 * has left that input and may return to it.
 */
function forget(step: Step, { base }: Pick<PreparedBlock, "base">): void {
  if (step.kept?.blockId === base.id) step.kept = undefined;
}

/**
 * Whether the reply comes from the service: an expired time limit or a payment. The visitor's client does not receive
 * the response of the step.
 */
export function isUnasked(reply: StepReply): boolean {
  return isDue(reply) || reply.type === "payment";
}

/** Whether the reply reports that a block's time limit has expired. */
export function isDue(reply: StepReply): reply is DueReply {
  return reply.type === "timeout" || reply.type === "wait";
}

/** Whether an attachment or voice clip is not a stored file of this chat or its result. */
function namesStrangeFiles(reply: Reply | null): boolean {
  if (reply === null || reply.type === "command" || reply.type === "payment") return false;
  const { strangeFileUrls = [] } = reply;
  if (reply.type === "audio") return strangeFileUrls.includes(reply.url);
  return reply.attachedFileUrls?.some((url) => strangeFileUrls.includes(url)) ?? false;
}

function resume(step: Step, place: Place, block: PreparedBlock, reply: Reply | null): Replied {
  dropSeed(step, notAsking);
  if (step.timer) endTimer(step);
  const outcome = block.resume(viewOf(step), reply);
  if (outcome.kind !== "next") return { kind: "outcome", place, block, outcome };
  produce(step, outcome);
  return { kind: "walk", start: startAfter(place) };
}

function askAgain(
  step: Step,
  place: Place,
  block: PreparedBlock,
  { message, notice, logs, prepared }: Extract<ReplyVerdict, { kind: "invalid" }>,
): Replied {
  const view = viewOf(step);
  const text =
    message || view.text(systemMessage(view.program, "invalidMessage")) || defaultSystemMessages.invalidMessage;
  const said = textMessage(block.base.id, text, view.contentFormat);
  produce(step, { messages: [{ ...said, ...(notice && { notice }) }], ...(logs && { logs }) });
  const outcome = (prepared && block.ask?.(view, prepared)) ?? block.run(view, keptOf(step, block.base.id), true);
  step.record.sameVisit = block.base.id;
  if (outcome.kind !== "ask") return { kind: "outcome", place, block, outcome };
  ask(step, outcome);
  return { kind: "asked" };
}

function accept(
  step: Step,
  place: Place,
  block: PreparedBlock,
  reply: Reply | null,
  outcome: Extract<ReplyVerdict, { kind: "accepted" }>,
): Replied {
  if (step.timer) endTimer(step);
  const frame = currentFrame(step);
  const { content, logs } = outcome;
  if (logs) produce(step, { logs });
  const attachedFileUrls = reply?.type === "text" && reply.attachedFileUrls?.length ? reply.attachedFileUrls : null;
  step.record.answers.push({
    resultId: frame.resultId,
    botId: frame.program.botId,
    blockId: block.base.id,
    groupId: place.group.id,
    variableId: block.variableId ?? null,
    content,
    attachedFileUrls,
  });
  if (!block.definition.input?.writesBeforeReplyEvent) produce(step, { writes: outcome.writes ?? [] });
  frame.variables.write(answerWrite(frame, block.variableId, reply, content));
  keepAnswer(frame, block.base.id, content, attachedFileUrls);
  step.totalAnswers++;
  forget(step, block);
  dropSeed(step, block.base.id);
  if (reply?.type === "text" && reply.text !== content) step.record.lastMessageNewFormat = content;
  if (outcome.edgeId === undefined || outcome.edgeId === block.base.outgoingEdgeId)
    return { kind: "walk", start: startAfter(place) };
  visitEdge(step, outcome.edgeId);
  return { kind: "walk", start: { hop: { edgeId: outcome.edgeId } } };
}

/**
 * Returns the write of an answer to its variable. A text is appended if the variable contains a list, and an empty text
 * clears the list. Audio is never written to the variable.
 */
function answerWrite(frame: Frame, variableId: string | undefined, reply: Reply | null, content: string): Write[] {
  if (variableId === undefined || (reply?.type !== "text" && reply?.type !== "payment")) return [];
  const current: Value = frame.variables.get(variableId);
  const value = Array.isArray(current) && content !== "" ? [...current, content] : content;
  return [{ variableId, value }];
}

/**
 * Records the answer of a block for mails and HTTP bodies. Only the last answer per key is kept, in the order of
 * answering.
 */
export function keepAnswer(
  frame: Frame,
  blockId: string,
  content: string,
  attachedFileUrls: readonly string[] | null,
): void {
  const key = frame.program.answerKeys.get(blockId) ?? "";
  frame.answers.delete(key);
  frame.answers.set(key, answerText({ content, attachedFileUrls }));
}

/**
 * Returns where the walk continues after the block: through its own edge, or at the next block of its group if the
 * block has no edge.
 */
function startAfter(place: Place): Start {
  const edgeId = place.block.outgoingEdgeId;
  if (typeof edgeId === "string") return { hop: { edgeId } };
  return place.index + 1 < place.group.blocks.length
    ? { group: place.group, index: place.index + 1 }
    : { hop: undefined };
}
