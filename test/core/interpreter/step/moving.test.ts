import { describe, expect, test } from "bun:test";
import type { FlowBlock, FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import type { FrameState, SessionState } from "../../../../src/core/interpreter/program/state.ts";
import { type MovableFlow, movableFlow, moved, obstacleTo } from "../../../../src/core/interpreter/step/moving.ts";
import { idOf } from "../../../support/builder-ids.ts";

const text = { id: "text", type: "text input", options: { variableId: idOf("v"), labels: { placeholder: "Name" } } };
const choice = {
  id: "choice",
  type: "choice input",
  items: [
    { id: "yes", content: "Yes", outgoingEdgeId: "e1" },
    { id: "no", content: "No" },
  ],
};
const bubble = { id: "bubble", type: "text" };
const flow: FlowDocument = {
  groups: [
    { id: "g1", title: "One", blocks: [bubble, text, choice] },
    { id: "g2", title: "Two", blocks: [{ id: "end", type: "text" }] },
  ],
  edges: [{ id: "e1", to: { groupId: "g2" } }],
  variables: [{ id: idOf("v"), name: "Name" }],
};

function movable(changed: FlowDocument): MovableFlow {
  return movableFlow(changed, (type) => type.endsWith("input"));
}

/** Returns the flow with other blocks in its first group. */
function withBlocks(...blocks: FlowBlock[]): FlowDocument {
  const [one, ...others] = flow.groups;
  return { ...flow, groups: [{ ...one, id: "g1", blocks }, ...others] };
}

function waitingAt(blockId: string | undefined, frame: Partial<FrameState> = {}, more: Partial<SessionState> = {}) {
  const main = {
    program: "bot:1",
    botId: "bot",
    resultId: "r",
    written: [],
    answers: [],
    queuedHops: [],
    isMerging: false,
  };
  const state: SessionState = {
    format: 1,
    queue: [{ ...main, ...frame }],
    ...(blockId !== undefined && { blockId }),
    ...{ visitedEdges: 0, totalAnswers: 0, progress: 0, isStreamEnabled: false },
    ...more,
  };
  return state;
}

function obstacle(state: SessionState, to: FlowDocument) {
  return obstacleTo(state, movable(flow), movable(to));
}

describe("a move to another version", () => {
  test("a chat can move to a version with other texts and more inputs", () => {
    const more = { id: "more", type: "email input" };
    const led = { ...choice, outgoingEdgeId: "e2", items: choice.items.map(({ id, content }) => ({ content, id })) };
    const to = withBlocks({ ...bubble, content: {} }, more, led, { ...text, outgoingEdgeId: null });
    expect(obstacle(waitingAt("choice"), { ...to, edges: [] })).toBeUndefined();
    expect(obstacle(waitingAt("text"), to)).toBeUndefined();
  });

  test("a chat can move to a version with other edges for failures", () => {
    const led = { failure: { outgoingEdgeId: "e1" }, timeout: { after: 600 }, limit: { outgoingEdgeId: "e1" } };
    const to = withBlocks({ ...text, options: { ...text.options, ...led } }, { ...choice, options: led });
    expect(obstacle(waitingAt("text"), to)).toBeUndefined();
    expect(obstacle(waitingAt("choice"), to)).toBeUndefined();
  });

  test("a chat can move to a version with renamed variables", () => {
    const variables = [
      { id: idOf("v"), name: "Full name" },
      { id: idOf("w"), name: "New" },
    ];
    const written = [
      [idOf("v"), "Ana"],
      ["x", "1", "Stray"],
    ] as const;
    expect(obstacle(waitingAt("text", { written }), { ...flow, variables })).toBeUndefined();
  });

  test("a chat can move to another version before its first input", () => {
    expect(obstacle(waitingAt(undefined), withBlocks())).toBeUndefined();
  });

  test("a chat can move to a version that contains its return points", () => {
    const frame = {
      queuedHops: [{ edgeId: "e1" }, { groupId: "g2" }, { groupId: "g2", blockId: "end" }],
      resumeAt: [{ groupId: "g1", blockId: "text" }],
    };
    const state = waitingAt("text", frame, { returnMark: { status: "pending", blockId: "end" } });
    expect(obstacle(state, flow)).toBeUndefined();
  });
});

describe("a refused move to another version", () => {
  const [one, two] = flow.groups;
  const without = (id: string) => withBlocks(...[bubble, text, choice].filter((block) => block.id !== id));

  test("a chat does not move while it waits at a block that is not an input", () => {
    expect(obstacle(waitingAt("bubble"), flow)).toBe("not_asking");
    expect(obstacle(waitingAt("nowhere"), flow)).toBe("not_asking");
  });

  test("a chat does not move to another version while it is in a linked bot", () => {
    const state = waitingAt("text");
    expect(obstacle({ ...state, queue: [...state.queue, ...state.queue] }, flow)).toBe("linked_flow");
  });

  test("a chat does not move if its input is removed or is in another group", () => {
    expect(obstacle(waitingAt("text"), without("text"))).toBe("input_removed");
    expect(obstacle(waitingAt("text"), withBlocks({ ...text, type: "text" }))).toBe("input_removed");
    const elsewhere = [
      { ...one, id: "g1", blocks: [bubble] },
      { ...two, id: "g2", blocks: [text] },
    ];
    expect(obstacle(waitingAt("text"), { ...flow, groups: elsewhere })).toBe("input_in_other_group");
  });

  test("a chat does not move if the type, options or items of its input change", () => {
    const changed: FlowBlock[] = [
      { ...text, type: "email input" },
      { ...text, options: { ...text.options, labels: { placeholder: "Your name" } } },
      { ...text, options: { ...text.options, variableId: idOf("w") } },
      { ...text, options: null },
      { ...text, options: { ...text.options, timeout: 10 } },
      { ...text, options: { ...text.options, handOff: { message: "Ask a person" } } },
    ];
    for (const block of changed) expect(obstacle(waitingAt("text"), withBlocks(block))).toBe("input_changed");
    const items = [choice.items.toReversed(), choice.items.slice(1), [{ id: "yes", content: "Yep" }, choice.items[1]]];
    for (const list of items)
      expect(obstacle(waitingAt("choice"), withBlocks({ ...choice, items: list }))).toBe("input_changed");
  });

  test("a chat cannot move if one of its return points is removed", () => {
    const gone = { ...withBlocks(text), groups: withBlocks(text).groups.slice(0, 1), edges: [] };
    const frames: Partial<FrameState>[] = [
      { queuedHops: [{ edgeId: "e1" }] },
      { queuedHops: [{ groupId: "g2" }] },
      { resumeAt: [{ groupId: "g1", blockId: "choice" }] },
    ];
    for (const frame of frames) expect(obstacle(waitingAt("text", frame), gone)).toBe("way_back_removed");
    const marked = waitingAt("text", {}, { returnMark: { status: "pending", blockId: "end" } });
    expect(obstacle(marked, gone)).toBe("way_back_removed");
    const covered = { marks: [{ status: "pending" as const, blockId: "end" }] };
    expect(obstacle(waitingAt("text", {}, { covered }), gone)).toBe("way_back_removed");
  });

  test("a chat does not move if a variable with a written value is removed", () => {
    expect(obstacle(waitingAt("text", { written: [[idOf("v"), "Ana"]] }), { ...flow, variables: [] })).toBe(
      "variable_removed",
    );
  });
});

test("moving a state to another version changes only its program", () => {
  const state = waitingAt("text", { written: [[idOf("v"), "Ana"]] });
  const [frame] = state.queue;
  expect(moved(state, "bot:2")).toEqual({ ...state, queue: [{ ...Object(frame), program: "bot:2" }] });
});
