import { idOf } from "../support/builder-ids.ts";
import { says } from "../support/chat.ts";

/**
 * Returns a flow in which the visitor's choice `go` leads to the blocks, and the choice `calm` leads to another group.
 */
export function trap(
  blocks: readonly object[],
  more: { groups?: readonly { id: string }[]; variables?: readonly object[] } = {},
) {
  const groups = [
    { id: "ask", title: "Ask", graphCoordinates, blocks: [question("choose")] },
    { id: "trap", title: "Trap", graphCoordinates, blocks },
    { id: "calm", title: "Calm", graphCoordinates, blocks: [says("Still here"), question("choose again")] },
    ...(more.groups ?? []),
  ];
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", graphCoordinates, outgoingEdgeId: "to ask" }],
    groups,
    edges: groups.map(({ id }) => ({ id: `to ${id}`, from: { eventId: "start" }, to: { groupId: id } })),
    variables: more.variables ?? ["A", "B"].map((name) => ({ id: idOf(name), name })),
  };
}

const graphCoordinates = { x: 0, y: 0 };

function question(id: string) {
  return {
    id,
    type: "choice input",
    items: [
      { id: `${id} go`, content: "go", outgoingEdgeId: "to trap" },
      { id: `${id} calm`, content: "calm", outgoingEdgeId: "to calm" },
    ],
  };
}

/** Returns a block with a script that runs on the server. */
export function script(content: string, more: object = {}) {
  return { id: `runs ${content}`, type: "Code", options: { isExecutedOnClient: false, content }, ...more };
}

/** Returns a block that sets a variable to the value of an expression. */
export function sets(variableId: string, expression: string, id = `sets ${variableId}`) {
  return { id, type: "Set variable", options: { variableId, expressionToEvaluate: expression } };
}

/** A block that jumps back to the start of the group. */
export const again = { id: "again", type: "Jump", options: { groupId: "trap" } };

/** Returns lists that are nested to the given depth. */
export function nestedLists(depth: number): object {
  const content = { type: "lic", children: [{ text: "At the bottom" }] };
  let list: object = { type: "ul", children: [{ type: "li", children: [content] }] };
  for (let level = 1; level < depth; level++) list = { type: "ul", children: [{ type: "li", children: [list] }] };
  return list;
}
