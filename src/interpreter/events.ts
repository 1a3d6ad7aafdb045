import type { PreparedBlock } from "./block.ts";
import { booleanAt, type FlowEvent, textAt } from "./flow.ts";
import type { Place, Target } from "./program.ts";
import type { Reply } from "./state.ts";
import { head, type Step, StepRefused, virtualEdgeId, visitEdge } from "./step.ts";
import type { Start } from "./walk.ts";

/** The reply event runs on every reply to an input; coming back by `Return` applies the reply. */
export function fireReplyEvent(step: Step, place: Place, block: PreparedBlock, reply: Reply): Start | undefined {
  const event = head(step).program.events.find(
    ({ type, outgoingEdgeId }) => type === "reply" && typeof outgoingEdgeId === "string",
  );
  const target = event && targetOf(step, event);
  if (!event || !target) return undefined;
  writeEventVariables(step, event, place, block, reply);
  step.returnMark = { status: "pending", blockId: block.base.id, reply };
  return begin(step, { groupId: target.groupId });
}

/** The invalid-reply event takes the place of the retry message; `Return` shows the input again. */
export function fireInvalidReplyEvent(step: Step, place: Place, block: PreparedBlock, reply: Reply): Start | undefined {
  const event = head(step).program.events.find(({ type }) => type === "invalidReply");
  const target = event && targetOf(step, event);
  if (!event || !target) return undefined;
  writeEventVariables(step, event, place, block, reply);
  step.returnMark = { status: "pending", blockId: block.base.id };
  return begin(step, target);
}

/** The command event with this command. Refused when the flow has none that leads somewhere. */
export function fireCommandEvent(step: Step, command: string): Start {
  const event = head(step).program.events.find(
    ({ type, options }) => type === "command" && textAt(options, "command") === command,
  );
  const target = event && targetOf(step, event);
  if (!event || !target) throw new StepRefused("command.not_found", { command });
  const { blockId } = step;
  if (blockId !== undefined && booleanAt(event.options, "resumeAfter") === true) queueReturn(step, blockId);
  else if (blockId !== undefined) step.returnMark = { status: "pending", blockId };
  return begin(step, target);
}

function queueReturn(step: Step, blockId: string): void {
  const place = head(step).program.places.get(blockId);
  if (place) head(step).queuedHops.unshift({ groupId: place.group.id, blockId });
}

function targetOf(step: Step, event: FlowEvent): Target | undefined {
  const { program } = head(step);
  const target = typeof event.outgoingEdgeId === "string" ? program.edges.get(event.outgoingEdgeId) : undefined;
  return target && program.groups.has(target.groupId) ? target : undefined;
}

function begin(step: Step, target: Target): Start {
  visitEdge(step, virtualEdgeId(target));
  return { hop: target };
}

function writeEventVariables(step: Step, event: FlowEvent, place: Place, block: PreparedBlock, reply: Reply): void {
  const content = reply.type === "text" ? reply.text : reply.type === "audio" ? reply.url : "";
  const values = [
    [textAt(event.options, "contentVariableId"), content],
    [textAt(event.options, "inputTypeVariableId"), step.context.blocks.get(block.base.type)?.inputType ?? ""],
    [textAt(event.options, "inputNameVariableId"), place.group.title],
  ] as const;
  const writes = values.flatMap(([variableId, value]) => (variableId === undefined ? [] : [{ variableId, value }]));
  head(step).variables.write(writes);
}
