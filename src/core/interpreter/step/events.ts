import type { FlowEvent } from "../flow.ts";
import type { PreparedBlock } from "../program/block.ts";
import type { Place, Target } from "../program/program.ts";
import type { Reply } from "../program/state.ts";
import { type EventOptions, EventOptionsSchema } from "../schemas/events.ts";
import { readKnown } from "../schemas/schema.ts";
import { StepRefused } from "../step-errors.ts";
import { currentFrame, type Frame, produce, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";
import type { Start } from "./walk.ts";
import { coverReturnMark } from "./ways-back.ts";

type Replied = { readonly place: Place; readonly block: PreparedBlock; readonly reply: Reply | null };

/**
 * Starts the reply event, which runs on replies to inputs. A `Return` block returns to the input, which then handles
 * the reply. Returns undefined if the flow has no reply event, or if the event cannot start.
 */
export function fireReplyEvent(step: Step, replied: Replied & { readonly reply: Reply }): Start | undefined {
  const event = currentFrame(step).program.events.find(
    ({ type, outgoingEdgeId }) => type === "reply" && typeof outgoingEdgeId === "string",
  );
  const target = event && targetOf(step, event, replied.place);
  if (!event || !target) return undefined;
  writeEventVariables(step, event, replied);
  coverReturnMark(step, { status: "pending", blockId: replied.block.base.id, reply: replied.reply });
  return { hop: { groupId: target.groupId } };
}

export function hasInvalidReplyEvent(step: Step): boolean {
  return invalidReplyEvent(step) !== undefined;
}

/**
 * Starts the invalid-reply event instead of showing the retry message. A `Return` block shows the input again. Returns
 * undefined if the flow has no such event, or if the event cannot start.
 */
export function fireInvalidReplyEvent(step: Step, replied: Replied): Start | undefined {
  const event = invalidReplyEvent(step);
  const target = event && targetOf(step, event, replied.place);
  if (!event || !target) return undefined;
  writeEventVariables(step, event, replied);
  coverReturnMark(step, { status: "pending", blockId: replied.block.base.id });
  step.record.sameVisit = replied.block.base.id;
  return { hop: target };
}

/** Starts the event for a command. Throws `StepRefused` if the flow has no such event or if the event has no target. */
export function fireCommandEvent(step: Step, command: string): Start {
  const { program } = currentFrame(step);
  const event = program.events.find((event) => event.type === "command" && optionsOf(event).command === command);
  const target = event && existingTarget(step, event);
  if (!event || !target) throw new StepRefused("command.not_found", { command });
  const place = step.blockId === undefined ? undefined : program.places.get(step.blockId);
  if (place && optionsOf(event).resumeAfter) {
    resumeLater(currentFrame(step), place);
  } else if (place) {
    coverReturnMark(step, { status: "pending", blockId: place.block.id });
  }
  delete step.record.input;
  delete step.record.isPaused;
  return { hop: target };
}

/**
 * Stores the block at which the flow resumes after a command. Each block occurs in the list only once, so that repeated
 * commands do not make the list grow.
 */
function resumeLater(frame: Frame, { group, block }: Place): void {
  const others = frame.resumeAt.filter(({ blockId }) => blockId !== block.id);
  frame.resumeAt = [{ groupId: group.id, blockId: block.id }, ...others];
}

function invalidReplyEvent(step: Step): FlowEvent | undefined {
  return currentFrame(step).program.events.find(({ type }) => type === "invalidReply");
}

/**
 * Returns the target of an event. Without a target, logs the problem and returns undefined. Also returns undefined if
 * the answered input is in the event's target group, because the event would then start repeatedly.
 */
function targetOf(step: Step, event: FlowEvent, { group }: Place): Target | undefined {
  const target = existingTarget(step, event);
  if (!target) {
    produce(step, {
      logs: [{ context: "Events", description: "The event is not connected to a group", details: event.id }],
    });
  }
  return target?.groupId === group.id ? undefined : target;
}

function existingTarget(step: Step, { outgoingEdgeId }: FlowEvent): Target | undefined {
  if (typeof outgoingEdgeId !== "string") return undefined;
  const { program } = currentFrame(step);
  const target = program.edges.get(outgoingEdgeId);
  if (target) step.context.watch?.edge(outgoingEdgeId);
  return target && program.groups.has(target.groupId) ? target : undefined;
}

function writeEventVariables(step: Step, event: FlowEvent, { place, block, reply }: Replied): void {
  const said = reply?.type === "text" ? (block.wordsOf?.(viewOf(step), reply) ?? reply.text) : undefined;
  const content = said ?? (reply?.type === "audio" ? reply.url : "");
  const { contentVariableId, inputTypeVariableId, inputNameVariableId } = optionsOf(event);
  const values = [
    [contentVariableId, content],
    [inputTypeVariableId, block.definition.input?.inputType ?? ""],
    [inputNameVariableId, place.group.title],
  ] as const;
  const writes = values.flatMap(([variableId, value]) => (variableId === undefined ? [] : [{ variableId, value }]));
  currentFrame(step).variables.write(writes);
}

function optionsOf({ options }: FlowEvent): EventOptions {
  return readKnown(EventOptionsSchema, options) ?? {};
}
