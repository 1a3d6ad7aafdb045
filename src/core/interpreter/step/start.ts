import type { ChatContact } from "../program/contact.ts";
import type { Program } from "../program/program.ts";
import { formatOf, type SessionState } from "../program/state.ts";
import { StepRefused } from "../step-errors.ts";
import { keepAnswer } from "./reply.ts";
import { currentFrame, prepare, produce, type Step } from "./step.ts";
import { type Position, positionOf } from "./walk.ts";

export type StartOptions = {
  readonly startFrom?:
    | { readonly type: "group"; readonly groupId: string }
    | { readonly type: "event"; readonly eventId: string }
    | { readonly type: "block"; readonly blockId: string };
  /** Whether each step records its moves. */
  readonly isTraced?: boolean;
  readonly prefilledVariables?: Readonly<Record<string, unknown>>;
  /** An earlier result of the same visitor that the chat continues. */
  readonly restored?: {
    readonly variables: readonly { readonly name: string; readonly value: unknown }[];
    readonly answers: readonly {
      readonly blockId: string;
      readonly content: string;
      readonly attachedFileUrls: readonly string[] | null;
    }[];
  };
};

/** Returns the state before the first step. */
export function initialState(
  program: Program,
  start: { resultId: string | null; isStreamEnabled: boolean; options?: Pick<StartOptions, "isTraced"> },
): SessionState {
  const { resultId, isStreamEnabled, options } = start;
  const frame = {
    program: program.key,
    botId: program.botId,
    resultId,
    written: [],
    answers: [],
    queuedHops: [],
    isMerging: false,
  };
  return {
    ...{ format: formatOf(undefined), queue: [frame], visitedEdges: 0, totalAnswers: 0, progress: 0, isStreamEnabled },
    ...(options?.isTraced && { isTraced: true }),
  };
}

/**
 * Restores an earlier result. If the start leads to a block, writes the contact's data and the prefilled variables, and
 * returns the first position of the walk. Otherwise returns undefined. Throws `StepRefused` if `startFrom` does not
 * exist in the flow.
 */
export function begin(step: Step, options: StartOptions): Position | undefined {
  const start = startOf(step, options);
  restore(step, options);
  if (!start || start.group.blocks.length === 0) return undefined;
  if (step.contact) fillContact(step, step.contact);
  prefill(step, options.prefilledVariables ?? {});
  return start;
}

function startOf(step: Step, { startFrom }: StartOptions): Position | undefined {
  const { program } = currentFrame(step);
  if (startFrom?.type === "group") {
    const group = program.groups.get(startFrom.groupId);
    if (!group) throw new StepRefused("flow.start_group_not_found", { groupId: startFrom.groupId });
    return { group, index: 0 };
  }
  if (startFrom?.type === "event") {
    const event = program.events.find(({ id }) => id === startFrom.eventId);
    if (!event) throw new StepRefused("flow.start_event_not_found", { eventId: startFrom.eventId });
    return through(step, event.outgoingEdgeId);
  }
  if (startFrom?.type === "block") {
    const place = program.places.get(startFrom.blockId);
    if (!place) throw new StepRefused("flow.start_block_not_found", { blockId: startFrom.blockId });
    return { group: place.group, index: place.index };
  }
  return through(step, program.startEdgeId);
}

function through(step: Step, edgeId: string | null | undefined): Position | undefined {
  if (typeof edgeId !== "string") return undefined;
  step.context.watch?.edge(edgeId);
  return positionOf(currentFrame(step).program, { edgeId });
}

/**
 * Fills empty variables from the earlier result by name, and restores the earlier answers for mails and HTTP bodies.
 */
function restore(step: Step, { restored }: StartOptions): void {
  if (!restored) return;
  step.record.isReturning = true;
  const frame = currentFrame(step);
  const values = new Map(restored.variables.map(({ name, value }) => [name, value]));
  const empty = frame.program.variables.list.filter(({ id, name }) => values.has(name) && !frame.variables.get(id));
  frame.variables.restore(empty.map(({ id, name }) => ({ variableId: id, value: values.get(name), isExact: true })));
  for (const { blockId, content, attachedFileUrls } of restored.answers) {
    const place = frame.program.places.get(blockId);
    const block = place && prepare(step, frame.program, place.block);
    if (block) keepAnswer(frame, blockId, content, attachedFileUrls);
  }
}

/** Writes the contact's data to the flow's variables with the names in `facts`. */
function fillContact(step: Step, contact: ChatContact): void {
  const { variables } = currentFrame(step);
  const { name, phone, username, id, language, channel, connectionName, startPayload } = contact;
  const facts = {
    contactName: name,
    contactPhone: phone === undefined ? undefined : `+${phone}`,
    contactUsername: username,
    contactId: id,
    contactLanguage: language,
    channel,
    connectionName,
    startPayload,
  };
  variables.write(
    Object.entries(facts).flatMap(([fact, value]) => {
      const variableId = value === undefined ? undefined : variables.idOf(fact);
      return variableId === undefined ? [] : [{ variableId, value }];
    }),
  );
}

function prefill(step: Step, prefilled: Readonly<Record<string, unknown>>): void {
  const { program, variables } = currentFrame(step);
  const { notPrefillable } = program.variables;
  const writes = [];
  const unknown = [];
  const refused = [];
  for (const [name, value] of Object.entries(prefilled)) {
    const variableId = variables.idOf(name);
    if (notPrefillable.has(name)) refused.push(name);
    else if (variableId === undefined) unknown.push(name);
    else writes.push({ variableId, value });
  }
  variables.write(writes);
  if (refused.length > 0) {
    const description = "Prefilled values were ignored, because these variables cannot be prefilled";
    produce(step, { logs: [{ status: "info", description, details: refused.join(", ") }] });
  }
  // Unknown variables are logged only in previews, because pages send all parameters of their URL.
  if (unknown.length > 0 && !step.context.isLive) {
    const description = "Prefilled variables that this flow does not have were ignored";
    produce(step, { logs: [{ status: "info", description, details: unknown.join(", ") }] });
  }
}
