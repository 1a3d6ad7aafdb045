import { type FlowBlock, type FlowDocument, isJsonObject } from "../flow.ts";
import type { Hop, SessionState } from "../program/state.ts";
import { unseenWaysOut } from "../schemas/own-keys.ts";

/** The facts that determine whether a chat can continue in another version of its flow. */
export type MovableFlow = {
  /** Inputs by id, each with its group and its complete question as text. */
  readonly inputs: ReadonlyMap<string, { readonly groupId: string; readonly asks: string }>;
  readonly blocks: ReadonlyMap<string, string>;
  readonly groupIds: ReadonlySet<string>;
  readonly edgeIds: ReadonlySet<string>;
  readonly variableIds: ReadonlySet<string>;
};

/** The reasons why a chat cannot change to another version of its flow. */
export const obstacles = {
  not_asking: "The chat does not wait for an answer, but for an external call or the visitor's browser.",
  linked_flow: "The chat is in a linked bot's flow.",
  input_removed: "The version does not have the chat's open input.",
  input_in_other_group: "The chat's open input is in another group of the version.",
  input_changed: "The chat's open input differs from the input that the visitor sees.",
  way_back_removed: "The version does not have a block to which the chat must return.",
  variable_removed: "The version does not have a variable that the chat has set.",
} as const;
export type Obstacle = keyof typeof obstacles;

/** Returns the facts about a flow. `isInput` returns whether a block type is an input. */
export function movableFlow(flow: FlowDocument, isInput: (type: string) => boolean): MovableFlow {
  const blocks = flow.groups.flatMap(({ id: groupId, blocks }) => (blocks ?? []).map((block) => ({ groupId, block })));
  return {
    inputs: new Map(
      blocks
        .filter(({ block }) => isInput(block.type))
        .map(({ groupId, block }) => [block.id, { groupId, asks: asksOf(block) }]),
    ),
    blocks: new Map(blocks.map(({ groupId, block }) => [block.id, groupId])),
    groupIds: new Set(flow.groups.map(({ id }) => id)),
    edgeIds: new Set(flow.edges.map(({ id }) => id)),
    variableIds: new Set(flow.variables.map(({ id }) => id)),
  };
}

/**
 * Returns the reason why a chat cannot continue in another version, or undefined if it can. A chat in a linked flow
 * cannot be moved. The waiting input must be in the same group and ask exactly the same question, although its edges
 * and its items' edges may differ. The positions to which the chat will return, and its written variables, must exist.
 * A chat that was only registered has no input yet.
 */
export function obstacleTo(state: SessionState, from: MovableFlow, to: MovableFlow): Obstacle | undefined {
  const [frame, ...parents] = state.queue;
  if (!frame || parents.length > 0) return "linked_flow";
  if (state.blockId !== undefined) {
    const [open, there] = [from.inputs.get(state.blockId), to.inputs.get(state.blockId)];
    if (!open) return "not_asking";
    if (!there) return "input_removed";
    if (there.groupId !== open.groupId) return "input_in_other_group";
    if (there.asks !== open.asks) return "input_changed";
  }
  const waysBack = [...frame.queuedHops, ...(frame.resumeAt ?? [])];
  if (!waysBack.every((hop) => hasPlace(to, hop))) return "way_back_removed";
  const marks = [...(state.returnMark ? [state.returnMark] : []), ...(state.covered?.marks ?? [])];
  if (!marks.every(({ blockId }) => to.blocks.has(blockId))) return "way_back_removed";
  // A written variable is stored with its name only if it is not a variable of the flow.
  const isKept = frame.written.every(([id, , name]) => name !== undefined || to.variableIds.has(id));
  return isKept ? undefined : "variable_removed";
}

/** Moves a state to another version of its flow. */
export function moved(state: SessionState, program: string): SessionState {
  return { ...state, queue: state.queue.map((frame, index) => (index === 0 ? { ...frame, program } : frame)) };
}

function hasPlace(flow: MovableFlow, hop: Hop): boolean {
  if ("edgeId" in hop) return flow.edgeIds.has(hop.edgeId);
  return hop.blockId === undefined ? flow.groupIds.has(hop.groupId) : flow.blocks.get(hop.blockId) === hop.groupId;
}

/**
 * Returns a text that is equal for blocks with the same question, even if key order, edges or the outlets in
 * `unseenWaysOut` differ.
 */
function asksOf(block: FlowBlock): string {
  const { options, ...rest } = block;
  const asked = Object.entries(isJsonObject(options) ? options : {}).filter(
    ([name, value]) => !(unseenWaysOut.has(name) && isJsonObject(value)),
  );
  return JSON.stringify(
    { ...rest, ...(asked.length > 0 && { options: Object.fromEntries(asked) }) },
    (_, value: unknown) =>
      isJsonObject(value)
        ? Object.fromEntries(
            Object.keys(value)
              .filter((key) => key !== "outgoingEdgeId")
              .sort()
              .map((key) => [key, value[key]]),
          )
        : value,
  );
}
