import { askQuestions, fiveReplies } from "../../../src/commands/bench/flow.ts";

export { askQuestions, fiveReplies };

/** Returns the five questions with an additional block before each question. */
export function askWithBlocks(make: (index: number) => object) {
  const flow = askQuestions();
  return { ...flow, groups: flow.groups.map((group, index) => ({ ...group, blocks: [make(index), ...group.blocks] })) };
}

/**
 * Returns a flow that runs endless scripts after each reply, until the step's budget is exhausted. The chat makes no
 * progress.
 */
export function askForEndlessScripts() {
  const endless = {
    id: "sc0",
    type: "Code",
    outgoingEdgeId: "ed1",
    options: { isExecutedOnClient: false, content: "for (;;);" },
  };
  return {
    version: "6.1",
    name: "Scripts without end",
    events: [{ id: "ev0", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "ed0" }],
    groups: [
      {
        id: "gr0",
        title: "Ask",
        graphCoordinates: { x: 0, y: 0 },
        blocks: [{ id: "in0", type: "text input" }, endless],
      },
    ],
    edges: [
      { id: "ed0", from: { eventId: "ev0" }, to: { groupId: "gr0" } },
      { id: "ed1", from: { blockId: "sc0" }, to: { groupId: "gr0", blockId: "sc0" } },
    ],
    variables: [],
    theme: {},
    settings: {},
  };
}

/** Returns a script block for `askWithBlocks` that runs on the server. */
export const script = (index: number) => ({
  id: `sc${index}`,
  type: "Code",
  options: {
    isExecutedOnClient: false,
    content: "const words = String({{Name}}).split(' '); setVariable('Wish', words.map((word) => word[0]).join('.'))",
  },
});
