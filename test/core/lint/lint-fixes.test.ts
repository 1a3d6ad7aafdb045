import { expect, test } from "bun:test";
import fc from "fast-check";
import { apply } from "../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument } from "../../../src/core/editing/changes/change.ts";
import { deltaOf } from "../../../src/core/editing/changes/delta.ts";
import { diff } from "../../../src/core/editing/changes/diff.ts";
import { createDraftLinter, fixesOf } from "../../../src/core/lint/draft-linter.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { rules } from "../../../src/core/lint/rules.ts";
import { storedFlow } from "../../../src/core/lint/stored-draft.ts";
import { idOf } from "../../support/builder-ids.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { asDraft } from "../editing/commands.ts";
import { editedFlows } from "../editing/edited-flows.ts";

const start = { id: "s", type: "start", outgoingEdgeId: "e" };
const toGroup = { id: "e", from: { eventId: "s" }, to: { groupId: "g" } };
const draftOf = (blocks: readonly object[], more: object = {}): DraftDocument =>
  asDraft({
    version: "6.1",
    events: [start],
    groups: [{ id: "g", title: "One", blocks }],
    edges: [toGroup],
    variables: [],
    ...more,
  });
const counted = () => {
  let count = 0;
  return { newId: () => `new${count++}` };
};
const findings = (draft: DraftDocument, rule: string) =>
  lintFlow(storedFlow(draft)).filter((found) => found.rule === rule && found.isFixable);

/**
 * Applies all fixes of a rule, first together and then one by one. Expects that no finding of the rule is left, and
 * returns the changes.
 */
function mend(rule: string, draft: DraftDocument): readonly Change[] {
  const found = findings(draft, rule);
  expect(found.length).toBeGreaterThan(0);
  const changes = fixesOf(draft, found, counted());
  const after = asDraft(apply(draft, changes));
  expect(findings(after, rule)).toEqual([]);
  let one = draft;
  const tools = counted();
  for (let left = found.length; left > 0; left--) {
    const [first] = findings(one, rule);
    if (first) one = asDraft(apply(one, fixesOf(one, [first], tools)));
  }
  expect(findings(one, rule)).toEqual([]);
  return diff(draft, after);
}

const text = (id: string, words: string, more: object = {}) => ({
  ...{ id, type: "text", content: { richText: [{ type: "p", children: [{ text: words }] }] } },
  ...more,
});

test("the fixes remove unusable edges and references to missing edges", () => {
  const choice = {
    id: "c",
    type: "choice input",
    outgoingEdgeId: "nowhere",
    items: [{ id: "i", content: "A", outgoingEdgeId: "gone" }],
  };
  const edges = [toGroup, { id: "nowhere", from: { blockId: "c" }, to: { groupId: "lost" } }];
  const draft = draftOf([text("t", "Hi", { outgoingEdgeId: "gone" }), choice], { edges });
  expect(mend("unknown_edge", draft)).toEqual([{ op: "set", of: "item", id: "i", in: "c", path: ["outgoingEdgeId"] }]);
  expect(mend("unknown_target", draft)).toEqual([
    { op: "set", of: "block", id: "c", path: ["outgoingEdgeId"] },
    { op: "remove", of: "edge", id: "nowhere" },
  ]);
  const twins = draftOf([text("t", "Hi")], { edges: [toGroup, { ...toGroup, id: "twin" }] });
  expect(mend("unused_edge", twins)).toEqual([{ op: "remove", of: "edge", id: "twin" }]);
});

test("the fix disables prefilling for the variables of a payment", () => {
  const pay = {
    id: "p",
    type: "payment input",
    options: { credentialsId: "c", amount: "{{Price}}", currency: "{{Unit}}" },
  };
  const variables = ["Price", "Unit", "Name"].map((name) => ({ id: idOf(name), name }));
  const twin = { id: idOf("twin"), name: "Price" };
  const set = (id: string) => ({ op: "set", of: "variable", id, path: ["isPrefillable"], value: false }) as const;
  expect(mend("amount_from_visitor", draftOf([pay], { variables: [...variables, twin] }))).toEqual([
    set(idOf("Price")),
    set(idOf("Unit")),
    set(idOf("twin")),
  ]);
});

test("an edge to a block that is missing in its group has no automatic fix", () => {
  const draft = draftOf([text("t", "Hi")], { edges: [{ ...toGroup, to: { groupId: "g", blockId: "lost" } }] });
  expect(lintFlow(storedFlow(draft)).map(({ rule, isFixable }) => [rule, isFixable])).toEqual([
    ["unknown_target", undefined],
  ]);
});

test("referenced but missing variables are created, each once", () => {
  const draft = draftOf([
    text("t", "Hi {{Name}}, {{Name}} {{ Odd}}"),
    { id: "q", type: "text input", options: { variableId: idOf("lost"), labels: { placeholder: "{{Name}}" } } },
    { id: "r", type: "email input", options: { variableId: idOf("lost") } },
  ]);
  expect(mend("unknown_variable", draft)).toEqual([
    { op: "add", of: "variable", value: { id: idOf("lost"), name: "Variable 1" } },
    { op: "add", of: "variable", before: idOf("lost"), value: { id: "new0", name: "Name" } },
  ]);
});

test("the fixes renew repeated item ids and remove unknown values and empty groups", () => {
  const edges = [toGroup, { id: "f", from: { blockId: "c", itemId: "i" }, to: { groupId: "g" } }];
  const choice = {
    id: "c",
    type: "choice input",
    items: [
      { id: "i", content: "A" },
      { id: "i", content: "B", outgoingEdgeId: "f" },
    ],
  };
  expect(mend("duplicate_item_id", draftOf([choice], { edges }))).toEqual([
    { op: "set", of: "block", id: "c", path: ["items", 1, "id"], value: "new0" },
    { op: "set", of: "edge", id: "f", path: ["from", "itemId"], value: "new0" },
  ]);
  const odd = draftOf([{ id: "q", type: "text input", options: { inputMode: "shout", labels: { button: "Go" } } }], {
    theme: { general: { background: { type: "Plaid" } } },
  });
  expect(mend("unknown_word", odd)).toEqual([
    { op: "set", of: "block", id: "q", path: ["options", "inputMode"] },
    { op: "set", of: "theme", path: ["general", "background", "type"] },
  ]);
  const jump = { id: "j", type: "Jump", options: { groupId: "jumped" } };
  const groups = [
    { id: "g", blocks: [text("t", "Hi"), jump] },
    { id: "free", blocks: [] },
    { id: "jumped", blocks: [] },
  ];
  expect(mend("empty_group", draftOf([], { groups }))).toEqual([{ op: "remove", of: "group", id: "free" }]);
});

test.each([undefined, 7])("a start whose id is %p has no fix, because no change can reference the id", (id) => {
  const edged = { type: "start", outgoingEdgeId: "" };
  const draft = draftOf([text("t", "Hi")], { events: [{ ...edged, id }], edges: [] });
  expect(lintFlow(storedFlow(draft)).map(({ rule, isFixable }) => [rule, isFixable])).toContainEqual([
    "unknown_edge",
    undefined,
  ]);
  const named = draftOf([text("t", "Hi")], { events: [{ ...edged, id: "s" }], edges: [] });
  expect(mend("unknown_edge", named)).toEqual([{ op: "set", of: "event", id: "s", path: ["outgoingEdgeId"] }]);
});

test("a rule's fix reduces its findings in any flow, and adds no errors", () => {
  const mended = new Set<string>();
  fc.assert(
    fc.property(editedFlows(), ({ after }) => {
      const draft = asDraft(after);
      const before = isReadable(draft) ? findingsIn(draft) : [];
      for (const { name, fix } of rules) {
        const found = before.filter(({ rule, isFixable }) => rule === name && isFixable);
        if (!fix || found.length === 0) continue;
        mended.add(name);
        const fixed = asDraft(apply(draft, fixesOf(draft, found, counted())));
        const left = lintFlow(storedFlow(fixed));
        expect(left.filter(({ rule, isFixable }) => rule === name && isFixable).length).toBeLessThan(found.length);
        const errors = (list: typeof left) => list.filter(({ severity }) => severity === "error").length;
        expect(errors(left)).toBeLessThanOrEqual(errors(before));
      }
    }),
    { numRuns: sizeOf({ short: 150, long: 20_000, variable: "PARLEY_EDITED_FLOWS" }) },
  );
  expect(mended.size).toBeGreaterThan(2);
});

/**
 * Returns no findings if the draft has a value that no draft may contain, such as a number for a colour. The linter
 * does not read such values.
 */
function findingsIn(draft: DraftDocument) {
  try {
    return lintFlow(storedFlow(draft));
  } catch {
    return [];
  }
}

/** Returns whether the draft can be edited. Duplicate ids, for example, prevent this. */
function isReadable(draft: DraftDocument): boolean {
  try {
    const blocks = draft.groups.flatMap((group) => group.blocks ?? []);
    const ids = [...draft.groups, ...blocks, ...draft.edges, ...draft.variables].map(({ id }) => id);
    return Array.isArray(draft.events) && ids.every((id) => typeof id === "string") && new Set(ids).size === ids.length;
  } catch {
    return false;
  }
}

test("a fault that affects every chat is listed first", () => {
  const link = { id: "l", type: "Typebot link", options: { typebotId: "away" } };
  const draft = draftOf([{ id: "h", type: "hologram" }, link]);
  const linter = createDraftLinter(counted());
  linter.open(draft);
  const service = lintFlow(storedFlow(draft), { facts: { linkedBots: new Map([["away", null]]) } });
  linter.noteAsked();
  linter.noteAnswer({ findings: service });
  expect(service.map(({ rule }) => rule)).toEqual(["all_blocks_skipped", "unknown_block_type", "unknown_bot"]);
  expect(linter.read()?.findings).toEqual(service);
});

test("the linter in the editor measures contrast in the rendered colours", () => {
  const customCss = ".typebot-host-bubble { color: #fff }";
  const draft: DraftDocument = { ...draftOf([text("t", "Hi")]), theme: { customCss } };
  const linter = createDraftLinter(counted());
  linter.open(draft);
  const contrast = () => linter.read()?.findings.filter(({ rule }) => rule === "low_contrast").length;
  const change = (changed: DraftDocument): DraftDocument => {
    const delta = deltaOf(draft, changed);
    if (delta) linter.change(delta);
    return changed;
  };
  expect(contrast()).toBe(0);
  linter.noteDrawn({ light: { hostBubbles: { color: "#ffffff", behind: "#ffffff" } } });
  expect(contrast()).toBe(1);
  change({ ...draft, settings: {} });
  expect(linter.read()).toBeUndefined();
  change({ ...draft, theme: { customCss: `${customCss} ` } });
  expect(contrast()).toBe(0);
});

test("the linter in the editor adds the findings of the service", () => {
  const email = { id: "m", type: "Email", options: { credentialsId: "lost" } };
  const draft = draftOf([text("t", "Hi"), email]);
  const linter = createDraftLinter(counted());
  linter.open(draft);
  const rulesIn = () => linter.read()?.findings.map(({ rule }) => rule);
  const first = rulesIn() ?? [];
  expect(first).not.toContain("credentials_missing");
  expect(linter.read()).toBeUndefined();
  const service = lintFlow(storedFlow(draft), { facts: { credentials: new Map() } });
  linter.noteAsked();
  linter.noteAnswer({ findings: service });
  const told = linter.read();
  expect(told?.findings).toEqual(service);
  expect(new Map(told?.byThing).get("m")?.warnings).toBeGreaterThan(0);
  const edit = (from: DraftDocument, changes: readonly Change[]) => {
    const next = asDraft(apply(from, changes));
    const delta = deltaOf(from, next);
    if (delta) linter.change(delta);
    return next;
  };
  const typed = edit(draft, [
    { op: "set", of: "block", id: "t", path: ["content"], value: text("t", "{{No}}").content },
  ]);
  expect(rulesIn()).toContain("unknown_variable");
  const fixed = edit(typed, linter.fix({ rule: "unknown_variable" }));
  expect(fixed.variables).toHaveLength(1);
  const after = rulesIn();
  expect(after).not.toContain("unknown_variable");
  expect(after).toContain("credentials_missing");
  edit(fixed, [{ op: "set", of: "block", id: "m", path: ["options", "credentialsId"], value: "other" }]);
  expect(rulesIn()).not.toContain("credentials_missing");
});
