import { expect, test } from "bun:test";
import { inWalkingOrder } from "../../../../src/core/editing/references/walk.ts";

const says = (id: string, edge?: string) => ({ id, type: "text", ...(edge !== undefined && { outgoingEdgeId: edge }) });
const jumpsTo = (groupId: string) => ({ id: `to ${groupId}`, type: "Jump", options: { groupId } });
const choice = (...edges: readonly string[]) => ({
  id: edges.join(),
  type: "choice input",
  items: edges.map((edge) => ({ id: edge, content: edge, outgoingEdgeId: edge })),
});
const group = (id: string, ...blocks: readonly { readonly id: string; readonly type: string }[]) => ({ id, blocks });
const to = (groupId: string) => ({ id: groupId, to: { groupId } });
const order = (flow: Parameters<typeof inWalkingOrder>[0]) => inWalkingOrder(flow).map(({ id }) => id);

test("groups are listed in the order of a chat, and unreachable groups are last", () => {
  const groups = [
    group("alone"),
    group("end", says("end")),
    group("no", jumpsTo("end")),
    group("yes", says("yes", "ask")),
    group("ask", says("hello"), choice("yes", "no")),
    group("lost"),
    group("reminded"),
  ];
  const edges = ["ask", "yes", "no", "reminded"].map(to);
  const events = [
    { id: "later", type: "invalidReply", outgoingEdgeId: "reminded" },
    { id: "start", type: "start", outgoingEdgeId: "ask" },
  ];

  expect(order({ groups, edges, events })).toEqual(["ask", "yes", "no", "end", "reminded", "alone", "lost"]);
});

test("the list of groups begins with the group of the start block", () => {
  const groups = [
    group("second"),
    group("first", says("a", "second")),
    group("start", { ...says("s", "first"), type: "start" }),
  ];
  const edges = ["first", "second"].map(to);

  expect(order({ groups, edges })).toEqual(["start", "first", "second"]);
  expect(order({ groups: groups.slice(0, 2), edges, events: [] })).toEqual(["second", "first"]);
});
