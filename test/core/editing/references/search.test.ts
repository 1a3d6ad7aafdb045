import { expect, test } from "bun:test";
import fc from "fast-check";
import { apply } from "../../../../src/core/editing/changes/apply.ts";
import type { DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { applyDelta, deltaOf } from "../../../../src/core/editing/changes/delta.ts";
import { diff } from "../../../../src/core/editing/changes/diff.ts";
import { mergeVariables } from "../../../../src/core/editing/references/rename.ts";
import { type Query, replace, search } from "../../../../src/core/editing/references/search.ts";
import { usageIn } from "../../../../src/core/editing/references/usage.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asDraft, createDice, randomChanges, smallDraft } from "../commands.ts";
import { editedFlows } from "../edited-flows.ts";

const line = (...children: readonly object[]) => ({ type: "p", children });
const flow = (blocks: readonly object[], more: object = {}): DraftDocument =>
  asDraft({
    groups: [{ id: "g", title: "Plan", blocks }],
    edges: [],
    variables: [{ id: idOf("v"), name: "Plan" }],
    ...more,
  });
const text = (id: string, ...lines: readonly object[]) => ({ id, type: "text", content: { richText: lines } });
const places = (draft: DraftDocument, query: Query) =>
  search(draft, query).hits.map(({ target, text: { text: found }, start, end, isName }) =>
    [target.id, found.slice(start, end), ...(isName ? ["name"] : [])].join(" "),
  );
const replaced = (draft: DraftDocument, query: Query, by: string) =>
  asDraft(apply(draft, replace(draft, query, { by })));

test("the search finds titles, texts, options, items and code", () => {
  const draft = flow(
    [
      text("a", line({ text: "São " }, { text: "Pau", bold: true }, { text: "lo, plan" })),
      text("b", line({ text: "See " }, { type: "a", url: "https://plan.example", children: [{ text: "plans" }] })),
      {
        id: "plan",
        type: "choice input",
        options: { variableId: idOf("plan"), buttonLabel: "Plan it" },
        items: [{ id: "plan1", content: "PLAN A" }],
      },
      { id: "c", type: "Code", options: { content: "setVariable('Plan', {{Plan}} + 'plan')" } },
    ],
    { events: [{ id: "s", type: "command", options: { command: "plan" } }] },
  );
  expect(places(draft, { text: "sao paulo" })).toEqual(["a São Paulo"]);
  expect(places(draft, { text: "plan" })).toEqual([
    ...["s plan", "g Plan", "a plan", "b plan", "b plan"],
    ...["plan Plan", "plan1 PLAN", "c Plan name", "c Plan name", "c plan"],
  ]);
  expect(places(draft, { text: "plan", isWholeWord: true, isCaseSensitive: true })).toEqual([
    ...["s plan", "a plan", "b plan", "c plan"],
  ]);
  const { count, replaceable } = search(draft, { text: "plan" }, { most: 2 });
  expect([count, replaceable]).toEqual([10, 8]);
  // The search does not find keywords of a field.
  expect(search(draft, { text: "Plan it" }, { isWord: () => true }).count).toBe(0);
});

test("a replacement has the formatting of the first replaced letter", () => {
  const bold = { text: "Pau", bold: true };
  const draft = flow([
    text("a", line({ text: "São " }, bold, { text: "lo" }), line({ text: "Straße, STRASSE {{Plan}} plan" })),
    text("b", line({ text: "go " }, { type: "a", url: "x", children: [{ text: "there" }] }, { text: " now" })),
  ]);
  expect(replaced(draft, { text: "sao paulo" }, "Rio").groups[0]?.blocks?.[0]).toEqual(
    text("a", line({ text: "Rio" }), line({ text: "Straße, STRASSE {{Plan}} plan" })),
  );
  expect(replaced(draft, { text: "o p" }, "- -").groups[0]?.blocks?.[0]).toEqual(
    text("a", line({ text: "Sã- -" }, { text: "au", bold: true }, { text: "lo" }), draft_line(draft)),
  );
  expect(replaced(draft, { text: "plan" }, "tarif").groups[0]).toMatchObject({
    title: "tarif",
    blocks: [
      text("a", line({ text: "São " }, bold, { text: "lo" }), line({ text: "Straße, STRASSE {{Plan}} tarif" })),
      {},
    ],
  });
  expect(replaced(draft, { text: "there" }, "").groups[0]?.blocks?.[1]).toEqual(
    text("b", line({ text: "go " }, { text: " now" })),
  );
  expect(replaced(draft, { text: "go there now" }, "").groups[0]?.blocks?.[1]).toEqual(text("b", line({ text: "" })));
});

function draft_line(draft: DraftDocument): object {
  const block: unknown = draft.groups[0]?.blocks?.[0]?.content;
  return JSON.parse(JSON.stringify(block)).richText[1];
}

test("a replacement can be reversed", () => {
  fc.assert(
    fc.property(editedFlows(), fc.constantFrom("a", "the", "Name", "e ", "ß"), ({ before }, wanted) => {
      const query = { text: wanted, isCaseSensitive: true };
      const first = search(before, query, { most: 100_000 });
      const mark = "⟦§⟧";
      const all = replaced(before, query, mark);
      // Only texts have changed. Ids, keys and keywords are unchanged.
      expect(replaced(all, { text: mark, isCaseSensitive: true }, wanted)).toEqual(before);
      expect(search(all, { text: mark }).count).toBe(first.replaceable);
      expect(search(all, query).count).toBe(first.count - first.replaceable);
      let one = before;
      for (let left = Math.min(30, first.replaceable); left > 0; left--) {
        const only = search(one, query, { most: 100_000 }).hits.find(({ isName }) => !isName);
        if (!only) throw new Error("A place is gone");
        one = asDraft(apply(one, replace(one, query, { by: mark, only })));
      }
      if (first.replaceable <= 30) expect(one).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

test("a delta turns the old draft into the new draft", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = createDice(seed);
      let made = 0;
      let draft = smallDraft();
      let copy: unknown = structuredClone(draft);
      for (let count = 0; count < 20; count++) {
        const next = asDraft(
          apply(
            draft,
            randomChanges(draft, dice, () => `made${++made}`),
          ),
        );
        const delta = structuredClone(deltaOf(draft, next));
        const after = applyDelta(copy, delta);
        expect(after).toEqual(next);
        expect(JSON.stringify(after)).toBe(JSON.stringify(next));
        if (!delta) expect(after).toBe(copy);
        [draft, copy] = [next, after];
      }
    }),
    { numRuns: 100 },
  );
  const groups = Array.from({ length: 2_000 }, (_, index) => ({ id: `g${index}`, title: "x", blocks: [] }));
  const draft = flow([], { groups });
  const renamed = asDraft(apply(draft, [{ op: "set", of: "group", id: "g1500", path: ["title"], value: "y" }]));
  expect(JSON.stringify(deltaOf(draft, renamed)).length).toBeLessThan(200);
  const removed = asDraft(apply(draft, [{ op: "remove", of: "group", id: "g1500" }]));
  expect(JSON.stringify(deltaOf(draft, removed)).length).toBeLessThan(200);
});

test("merging two variables leaves one variable with the uses of both", () => {
  fc.assert(
    fc.property(editedFlows(), fc.nat(), fc.nat(), ({ before }, a, b) => {
      const list = before.variables;
      const [from, into] = [list[a % Math.max(1, list.length)], list[b % Math.max(1, list.length)]];
      if (!from || !into || from === into) return;
      const was = usageIn(before).usage;
      const after = asDraft(apply(before, mergeVariables(before, { from: from.id, into: into.id })));
      const now = usageIn(after).usage;
      const size = (usage: typeof was, id: string) =>
        (usage.get(id)?.written.length ?? 0) + (usage.get(id)?.read.length ?? 0);
      expect(now.has(from.id)).toBe(false);
      expect(size(now, into.id)).toBeGreaterThanOrEqual(size(was, from.id) + size(was, into.id));
      for (const { id } of list) if (id !== from.id && id !== into.id) expect(size(now, id)).toBe(size(was, id));
      const touched = diff(before, after).filter(({ of }) => of === "group" || of === "edge");
      expect(touched).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("variables with equal names are distinguished by their ids", () => {
  const draft = flow(
    [
      { id: "a", type: "text input", options: { variableId: idOf("v") } },
      { id: "b", type: "text input", options: { variableId: idOf("w") } },
      text("c", line({ text: "{{Plan}} and {{Plan}}" })),
    ],
    {
      variables: [
        { id: idOf("v"), name: "Plan" },
        { id: idOf("w"), name: "Plan" },
        { id: "x", name: "Free" },
      ],
    },
  );
  const { usage, twins } = usageIn(draft);
  expect([usage.get(idOf("v"))?.written.length, usage.get(idOf("w"))?.written.length, usage.has("x")]).toEqual([
    1,
    1,
    false,
  ]);
  expect(twins.map(({ name, variables, byName }) => [name, variables.length, byName.length])).toEqual([["Plan", 2, 2]]);
  const merged = asDraft(apply(draft, mergeVariables(draft, { from: idOf("w"), into: idOf("v") })));
  expect(usageIn(merged)).toMatchObject({ twins: [] });
  expect(usageIn(merged).usage.get(idOf("v"))?.read).toHaveLength(2);
});
