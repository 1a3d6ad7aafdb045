import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { apply } from "../../../../src/core/editing/changes/apply.ts";
import { copy, readClip } from "../../../../src/core/editing/references/clipboard.ts";
import { connect, eachOutlet, outletsOfBlock, removeParts } from "../../../../src/core/editing/references/outlets.ts";
import { paste } from "../../../../src/core/editing/references/paste.ts";
import { isJsonObject, valueAt } from "../../../../src/core/interpreter/flow.ts";
import { wayOutNames } from "../../../../src/core/interpreter/schemas/own-keys.ts";
import { asDraft } from "../commands.ts";

const withAll = {
  id: "b",
  type: "text input",
  options: Object.fromEntries(wayOutNames.map((name) => [name, { outgoingEdgeId: name, after: 1 }])),
};
const draft = asDraft({
  groups: [
    { id: "g", blocks: [withAll] },
    { id: "h", blocks: [{ id: "end", type: "text" }] },
  ],
  edges: wayOutNames.map((id) => ({ id, from: { blockId: "b" }, to: { groupId: "h" } })),
});

test("every option that can have an edge is an outlet", () => {
  expect(outletsOfBlock(withAll).map(({ kind, edgeId }) => [kind, edgeId])).toEqual([
    ...wayOutNames.map((name) => [name, name]),
    ["own", undefined],
  ]);
});

test("an option that is a number instead of an object is not an outlet", () => {
  expect(outletsOfBlock({ id: "b", options: { timeout: 10 } }).map(({ kind }) => kind)).toEqual(["own"]);
});

test("connecting a failure outlet stores the edge in the option `failure`", () => {
  const [failure] = outletsOfBlock({ id: "b", options: { failure: {} } });
  const changes = failure ? connect(draft, failure, { to: { groupId: "h" }, newEdgeId: "new" }) : [];
  expect(changes.at(-1)).toMatchObject({ id: "b", path: ["options", "failure", "outgoingEdgeId"], value: "new" });
});

test("the outlets of a pasted block lead to the original groups", () => {
  const clip = readClip(JSON.stringify(copy(draft, { blockIds: ["b"] })));
  let count = 0;
  const pasted = clip && paste(draft, clip, { newId: () => `new${count++}`, keepsOutsideEdges: true });
  const after = asDraft(apply(draft, pasted?.changes ?? []));
  const old = new Set<string>(wayOutNames);
  const led = [...eachOutlet(after)].filter(({ edgeId }) => edgeId !== undefined && !old.has(edgeId));
  const targets = new Map(after.edges.map(({ id, to }) => [id, to?.groupId]));
  expect(led.map(({ kind, edgeId = "" }) => [kind, targets.get(edgeId)])).toEqual(
    wayOutNames.map((name) => [name, "h"]),
  );
});

test("removing a group removes the edges to the group", () => {
  const after = asDraft(apply(draft, removeParts(draft, { groupIds: ["h"] })));
  expect(after.edges).toEqual([]);
  expect([...eachOutlet(after)].filter(({ edgeId }) => edgeId !== undefined)).toEqual([]);
});

test("the list of options with an edge is complete for all supported blocks", () => {
  const held = [...blocks.values()].flatMap(({ schema }) => {
    const options = valueAt(schema, "properties", "options", "properties");
    if (!isJsonObject(options)) return [];
    return Object.keys(options).filter((name) => valueAt(options, name, "properties", "outgoingEdgeId") !== undefined);
  });
  expect([...new Set(held)].filter((name) => !wayOutNames.some((known) => known === name))).toEqual([]);
  expect(held).toContain("failure");
});
