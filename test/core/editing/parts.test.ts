import { expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { blocks as registry } from "../../../src/core/blocks/index.ts";
import { apply } from "../../../src/core/editing/changes/apply.ts";
import type { DraftDocument } from "../../../src/core/editing/changes/change.ts";
import { copy, readClip } from "../../../src/core/editing/references/clipboard.ts";
import { connect, disconnect, eachOutlet, removeParts } from "../../../src/core/editing/references/outlets.ts";
import { paste } from "../../../src/core/editing/references/paste.ts";
import {
  eachUse,
  keysOfCode,
  keysThatRead,
  type Use,
  usesOfVariable,
} from "../../../src/core/editing/references/references.ts";
import { mergeVariables, renameInText, renameVariable } from "../../../src/core/editing/references/rename.ts";
import { usageIn } from "../../../src/core/editing/references/usage.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/interpreter/flow.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asDraft, createDice, smallDraft } from "./commands.ts";
import { editedFlows } from "./edited-flows.ts";

const counted = () => {
  let count = 0;
  return () => `pasted${count++}`;
};
const groupsOf = ({ groups }: DraftDocument): readonly JsonObject[] => JSON.parse(JSON.stringify(groups));
const blocksOf = (draft: DraftDocument) =>
  groupsOf(draft).flatMap((group) => (Array.isArray(group["blocks"]) ? group["blocks"] : []));

/** Returns edges without a target, and outlets whose edge is missing. */
function dangling(draft: DraftDocument): string[] {
  const groups = new Map(draft.groups.map((group) => [group.id, group.blocks ?? []]));
  const edges = new Set(draft.edges.map(({ id }) => id));
  const lost = draft.edges.filter(({ to }) => {
    const blocks = groups.get(to?.groupId ?? "");
    return !blocks || (typeof to?.blockId === "string" && !blocks.some(({ id }) => id === to.blockId));
  });
  const unknown = [...eachOutlet(draft)].filter(({ edgeId }) => edgeId !== undefined && !edges.has(edgeId));
  return [...lost.map(({ id }) => id), ...unknown.map(({ edgeId = "" }) => edgeId)];
}

test("pasting creates unique ids and no new dangling edges", () => {
  fc.assert(
    fc.property(editedFlows(), fc.integer(), ({ before: draft }, seed) => {
      const dice = createDice(seed);
      const groupIds = draft.groups.filter(() => dice.oneIn(2)).map(({ id }) => id);
      const blockIds = blocksOf(draft)
        .filter(() => dice.oneIn(4))
        .map(({ id }) => id);
      const clip = readClip(JSON.stringify(copy(draft, { groupIds, blockIds })));
      if (!clip) throw new Error("A clip cannot be read");
      const keepsOutsideEdges = dice.oneIn(2);
      const { changes } = paste(draft, clip, { newId: counted(), keepsOutsideEdges });
      const after = asDraft(apply(draft, changes));
      const ids = blocksOf(after).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const was = new Set(dangling(draft));
      expect(dangling(after).filter((id) => !was.has(id))).toEqual([]);
      expect(canonicalize(after.groups.slice(0, draft.groups.length))).toBe(canonicalize(draft.groups) ?? "");
      expect(after.variables).toEqual([...draft.variables]);
      if (keepsOutsideEdges && was.size === 0) {
        const texts = (list: readonly JsonObject[]) => list.map(({ type, content }) => canonicalize([type, content]));
        const copied = clip.groups.flatMap((group) => (Array.isArray(group["blocks"]) ? group["blocks"] : []));
        expect(texts(blocksOf(after).slice(blocksOf(draft).length))).toEqual(texts([...copied, ...clip.blocks]));
      }
    }),
    { numRuns: 150 },
  );
});

test("parts are copied to another flow with their variables", () => {
  const from: DraftDocument = {
    ...smallDraft(),
    groups: [
      {
        id: "g",
        blocks: [
          block("ask", { options: { variableId: idOf("v1") } }),
          block("say", { content: { richText: [{ children: [{ text: "Hi {{B}}" }] }] } }),
        ],
      },
    ],
  };
  const to: DraftDocument = { ...smallDraft(), variables: [{ id: idOf("other"), name: "A" }] };
  const after = asDraft(apply(to, paste(to, copy(from, { groupIds: ["g"] }), { newId: counted() }).changes));
  expect(after.variables).toEqual([
    { id: idOf("other"), name: "A" },
    { id: expect.stringContaining("pasted"), name: "B" },
  ]);
  expect(blocksOf(after).at(-2)?.options).toEqual({ variableId: idOf("other") });
});

test("items are pasted into a block, and blocks into a group before another block", () => {
  const draft = smallDraft();
  const items = copy(draft, { items: [{ blockId: "b4", itemId: "i2" }] });
  expect(items.itemsOf).toBe("choice input");
  const pasted = paste(draft, items, { newId: counted(), block: { blockId: "b4", before: "i1" } });
  expect(pasted.changes).toEqual([
    { op: "add", of: "item", in: "b4", before: "i1", value: { id: "pasted0", content: "No" } },
  ]);
  const blocks = paste(draft, copy(draft, { blockIds: ["b3", "b1"] }), {
    newId: counted(),
    into: { groupId: "g1", before: "b2" },
  });
  const after = asDraft(apply(draft, blocks.changes));
  expect(after.groups[0]?.blocks?.map(({ id }) => id)).toEqual(["b1", ...blocks.blockIds, "b2"]);
});

test("an edge to a block that is missing in its group is not pasted", () => {
  const clip = { ...copy(smallDraft(), { groupIds: [] }), blocks: [block("led", { outgoingEdgeId: "e" })] };
  const pasteWithEdgeTo = (blockId: string) =>
    paste(
      smallDraft(),
      { ...clip, edges: [{ id: "e", from: { blockId: "led" }, to: { groupId: "g1", blockId } }] },
      { newId: counted(), keepsOutsideEdges: true },
    ).changes.filter(({ op, of }) => op === "add" && of === "edge");
  expect(pasteWithEdgeTo("b2")).toMatchObject([{ value: { to: { groupId: "g1", blockId: "b2" } } }]);
  expect(pasteWithEdgeTo("gone")).toEqual([]);
});

test.each([
  "",
  "no JSON",
  "[]",
  "null",
  '{"kind":"other"}',
  '{"kind":"parley.flow-parts","groups":[{"id":1},7],"variables":{}}',
])("the clipboard text %j contains no groups", (text) => {
  expect(readClip(text)?.groups ?? []).toEqual([]);
});

test("renaming a variable changes all its uses and nothing else", () => {
  fc.assert(
    fc.property(editedFlows(), fc.integer({ min: 0, max: 1_000 }), ({ before: draft }, at) => {
      const variable = draft.variables[at % Math.max(1, draft.variables.length)];
      const isAlone = draft.variables.filter(({ name }) => name === variable?.name).length === 1;
      if (!variable || !isAlone) return;
      const uses = usesOfVariable(draft, variable.id);
      const after = asDraft(apply(draft, renameVariable(draft, variable.id, "Quite another name")));
      const named = (name: string, { to, value }: { to: string; value: string }) =>
        to === "name" && value === name ? "Quite another name" : value;
      const before = [...eachUse(draft)].map((use) => [use.target, use.path, use.how, named(variable.name, use)]);
      expect([...eachUse(after)].map((use) => [use.target, use.path, use.how, use.value])).toEqual(before);
      expect(usesOfVariable(after, variable.id)).toHaveLength(uses.length);
      const back = asDraft(apply(after, renameVariable(after, variable.id, variable.name)));
      expect(canonicalize(back)).toBe(canonicalize(draft) ?? "");
    }),
    { numRuns: 150 },
  );
});

test.each([
  ["Hi {{A}}, {{ A }} and {{AB}}", false, "Hi {{Z}}, {{ A }} and {{AB}}"],
  ["{{= {{A}} + 1 =}} {{A}}", false, "{{= {{Z}} + 1 =}} {{Z}}"],
  ["{{{A}}}", false, "{{{Z}}}"],
  ["setVariable(\"A\", {{A}}); setVariable( 'AB', 1)", true, "setVariable(\"Z\", {{Z}}); setVariable( 'AB', 1)"],
  ["A {{", false, "A {{"],
])("renaming a variable in the text %j changes only the references to the variable", (text, isCode, expected) => {
  expect(renameInText(text, { from: "A", to: "Z" }, isCode)).toBe(expected);
});

test("merging two variables replaces one of them in all references", () => {
  const draft: DraftDocument = {
    ...smallDraft(),
    groups: [
      {
        id: "g",
        blocks: [
          block("a", { options: { variableId: idOf("v2"), labels: { button: "{{B}}" } } }),
          block("c", {
            type: "Condition",
            items: [{ id: "i", content: { comparisons: [{ id: "x", variableId: idOf("v2"), value: "{{B}}" }] } }],
          }),
          block("f", { type: "text input", options: { followUps: { texts: ["{{B}}?"], listVariableId: idOf("v2") } } }),
          block("d", { type: "Code", options: { content: "setVariable('B', {{B}})" } }),
        ],
      },
    ],
    theme: { chat: { title: "{{B}}" } },
    events: [{ id: "e", type: "reply", options: { contentVariableId: idOf("v2") } }],
  };
  const after = asDraft(apply(draft, mergeVariables(draft, { from: idOf("v2"), into: idOf("v1") })));
  expect(JSON.stringify(after)).not.toMatch(/v2|\{\{B\}\}|'B'/);
  expect(after.variables.map(({ id }) => id)).toEqual([idOf("v1")]);
  expect(
    usesOfVariable(after, idOf("v1"))
      .map(({ how }) => how)
      .sort(),
  ).toEqual(["code", "read", "read", "text", "text", "text", "text", "write", "write", "write"]);
});

test("a variable that a script sets is listed as written", () => {
  const sets = block("a", { type: "Code", options: { content: "setVariable('A', {{B}})" } });
  const both = block("b", { type: "Code", options: { content: 'setVariable("B", {{B}} + 1)' } });
  const { usage } = usageIn({ ...smallDraft(), groups: [{ id: "g", blocks: [sets, both] }] });
  const blocksOf = (uses: readonly Use[] = []) => uses.map(({ target }) => target.id);
  const found = ["v1", "v2"].map((id) => usage.get(idOf(id)));
  expect(found.map((one) => blocksOf(one?.written))).toEqual([["a"], ["b"]]);
  expect(found.map((one) => blocksOf(one?.read))).toEqual([[], ["a", "b"]]);
});

test("renaming a variable with an ambiguous name leaves texts unchanged", () => {
  const draft = {
    ...smallDraft(),
    variables: [
      { id: idOf("v1"), name: "A" },
      { id: idOf("v2"), name: "A" },
    ],
  };
  const said = { ...draft, groups: [{ id: "g", blocks: [block("b", { content: { text: "{{A}}" } })] }] };
  expect(renameVariable(said, idOf("v2"), "Other")).toEqual([
    { op: "set", of: "variable", id: idOf("v2"), path: ["name"], value: "Other" },
  ]);
});

test("the removal of groups and blocks creates no dangling edges", () => {
  fc.assert(
    fc.property(editedFlows(), fc.integer(), ({ before: draft }, seed) => {
      const dice = createDice(seed);
      const was = new Set(dangling(draft));
      const groupIds = draft.groups.filter(() => dice.oneIn(3)).map(({ id }) => id);
      const blockIds = blocksOf(draft)
        .filter(() => dice.oneIn(3))
        .map(({ id }) => id);
      const after = asDraft(apply(draft, removeParts(draft, { groupIds, blockIds })));
      expect(after.groups.some(({ id }) => groupIds.includes(id))).toBe(false);
      expect(dangling(after).filter((id) => !was.has(id))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("disconnecting a reconnected outlet restores the original flow", () => {
  const draft = smallDraft();
  const outlet = (now: DraftDocument) => [...eachOutlet(now)].find(({ itemId }) => itemId === "i1");
  const first = outlet(draft);
  if (!first) throw new Error("An item leads nowhere");
  const led = asDraft(apply(draft, connect(draft, first, { to: { groupId: "g3" }, newEdgeId: "new" })));
  expect(JSON.stringify(led.edges.at(-1))).toBe(
    '{"id":"new","from":{"blockId":"b4","itemId":"i1"},"to":{"groupId":"g3"}}',
  );
  const again = outlet(led);
  if (!again) throw new Error("The item is gone");
  const elsewhere = asDraft(apply(led, connect(led, again, { to: { groupId: "g1" }, newEdgeId: "never" })));
  expect(elsewhere.edges.at(-1)?.to).toEqual({ groupId: "g1" });
  expect(canonicalize(apply(elsewhere, disconnect(elsewhere, again)))).toBe(canonicalize(draft) ?? "");
});

test("the listed keys for variables and code match the schemas of the blocks", () => {
  const [reading, writing, code] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { schema } of registry.values()) {
    collect(schema, false);
  }
  function collect(schema: TSchema, isCondition: boolean): void {
    for (const [key, property] of Object.entries<TSchema>(schema["properties"] ?? {})) {
      if (property["namesReadVariable"] === true && !isCondition) reading.add(key);
      if (property["namesWrittenVariable"] === true) writing.add(key);
      if (property["isCode"] === true) code.add(key);
      collect(property, isCondition || property["isCondition"] === true);
    }
    if (isSchema(schema["items"])) collect(schema["items"], isCondition);
    for (const choice of schema["anyOf"] ?? []) collect(choice, isCondition);
  }
  expect([...reading].sort()).toEqual([...keysThatRead].sort());
  expect([...writing].filter((key) => keysThatRead.has(key) || !/[vV]ariableId$/.test(key))).toEqual([]);
  // `content` belongs to a Code block. Each Chatwoot field of a visitor is one variable, which is also found as text.
  expect(
    [...code].filter((key) => !["content", "id", "email", "name", "avatarUrl", "phoneNumber"].includes(key)).sort(),
  ).toEqual([...keysOfCode].sort());
});

function isSchema(value: unknown): value is TSchema {
  return isJsonObject(value);
}

function block(id: string, parts: JsonObject) {
  return { id, type: "text input", ...parts };
}
