import { expect, test } from "bun:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { apply } from "../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument, Path } from "../../../src/core/editing/changes/change.ts";
import { diff } from "../../../src/core/editing/changes/diff.ts";
import { isSame, valueAtPath } from "../../../src/core/editing/changes/things.ts";
import { eachOutlet } from "../../../src/core/editing/references/outlets.ts";
import { differenceByWord } from "../../../src/core/editing/text/words.ts";
import { compareDrafts } from "../../../src/web/app/difference/compare.ts";
import { marksOf } from "../../../src/web/app/difference/marks.ts";
import { namesIn } from "../../../src/web/app/difference/names.ts";
import { entryRuns } from "../../../src/web/app/difference/runs.tsx";
import { edgesGone, placesLeft, withRemoved } from "../../../src/web/app/difference/shown.ts";
import { listsOf, shownValue } from "../../../src/web/app/difference/shown-value.ts";
import { countChanges } from "../../../src/web/app/difference/summary.ts";
import { eachThing, type ThingChange } from "../../../src/web/app/difference/thing-change.ts";
import { valueText } from "../../../src/web/app/difference/values.ts";
import type { FieldSchema } from "../../../src/web/app/forms/index.ts";
import { comparisonTitle } from "../../../src/web/app/words/comparison.ts";
import { countsText } from "../../../src/web/app/words/counts-text.ts";
import differenceWords from "../../../src/web/app/words/en/difference.json";
import { currentWords } from "../../../src/web/app/words/language.ts";
import { asDraft, createDice, randomChanges, smallDraft } from "../../core/editing/commands.ts";
import { editedFlows } from "../../core/editing/edited-flows.ts";
import { idOf } from "../../support/builder-ids.ts";
import { inLanguage } from "../../support/in-language.ts";

const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});
const yes = { id: "yes", content: "Yes", outgoingEdgeId: "e2" };
const no = { id: "no", content: "No" };
const choice = { id: "ask", type: "choice input", items: [yes, no] };
const welcome = {
  id: "g1",
  title: "Welcome",
  graphCoordinates: { x: 0, y: 0 },
  blocks: [text("hello", "Hello"), choice],
};
const offer = { id: "g2", title: "Offer", graphCoordinates: { x: 9, y: 0 }, blocks: [text("offer", "An offer")] };
const flow: DraftDocument = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1" }],
  groups: [welcome, offer],
  edges: [
    { id: "e1", to: { groupId: "g1" } },
    { id: "e2", to: { groupId: "g2" } },
  ],
  variables: [{ id: idOf("v1"), name: "Plan" }],
  theme: { chat: { buttons: { color: "#fff" } } },
  settings: {},
};

/** Formats each changed part as a line with its change, its fields and its target. */
function said(changed: readonly ThingChange[], depth = 0): string[] {
  return changed.flatMap((one) => [
    `${"  ".repeat(depth)}${one.is}${one.isMoved ? " moved" : ""}${one.isMovedOnCanvas ? " on the canvas" : ""}${one.isNoticed ? "" : " unnoticed"} ${one.of} ${one.id ?? ""}${one.fromGroupId ? ` from ${one.fromGroupId}` : ""}`.trimEnd(),
    ...one.values.map(({ path }) => `${"  ".repeat(depth + 1)}. ${path.join(".")}`),
    ...one.leads.map(
      ({ outlet, from, to }) =>
        `${"  ".repeat(depth + 1)}> ${outlet.itemId ?? outlet.kind}: ${from?.groupId ?? "-"} to ${to?.groupId ?? "-"}`,
    ),
    ...said(one.inner, depth + 1),
  ]);
}
const differs = (change: Partial<DraftDocument>) => said(compareDrafts(flow, { ...flow, ...change }));

test("each changed field is listed at its element", () => {
  const groups = [
    {
      ...welcome,
      title: "Hi",
      blocks: [text("hello", "Hello you"), { ...choice, options: { variableId: idOf("v1") } }],
    },
    offer,
  ];
  expect(
    differs({ groups, theme: { chat: { buttons: { color: "#000" } } }, settings: { general: { isNew: true } } }),
  ).toEqual([
    "changed group g1",
    "  . title",
    "  changed block hello",
    "    . content.richText",
    "  changed block ask",
    "    . options.variableId",
    "changed theme",
    "  . chat.buttons.color",
    "changed settings",
    "  . general.isNew",
  ]);
});

test("added and removed parts include their content and their edges", async () => {
  const bye = { id: "g3", title: "Bye", blocks: [{ ...text("bye", "Bye"), outgoingEdgeId: "e3" }] };
  const items = [yes, { ...no, outgoingEdgeId: "e4" }, { id: "maybe", content: "Maybe" }];
  const edges = [...flow.edges, { id: "e3", to: { groupId: "g1" } }, { id: "e4", to: { groupId: "g3" } }];
  const after = { ...flow, groups: [{ ...welcome, blocks: [{ ...choice, items }] }, offer, bye], edges };
  expect(said(compareDrafts(flow, after))).toEqual([
    "same group g1",
    "  removed block hello",
    "  same block ask",
    "    changed item no",
    "      > no: - to g3",
    "    added item maybe",
    "added group g3",
    "  added block bye",
    "    > own: - to g1",
  ]);
  expect(said(compareDrafts(after, flow))).toEqual([
    "same group g1",
    "  added block hello",
    "  same block ask",
    "    changed item no",
    "      > no: g3 to -",
    "    removed item maybe",
    "removed group g3",
    "  removed block bye",
    "    > own: g1 to -",
  ]);
  expect(countsText(countChanges(compareDrafts(flow, after)))).toBe(
    "Adds 1 group and 1 block; changes 1 block; removes 1 block.",
  );
  const german = await inLanguage("de", () => countsText(countChanges(compareDrafts(flow, after))));
  expect(german).toStartWith("Fügt 1 Gruppe");
});

test("a changed edge is listed at its source, and a move at the moved element", () => {
  const edges = [{ id: "e1", to: { groupId: "g2" } }, flow.edges[1] ?? { id: "" }];
  expect(differs({ edges })).toEqual(["changed event start", "  > event: g1 to g2"]);
  const groups = [
    { ...welcome, graphCoordinates: { x: 5, y: 5 }, blocks: [choice] },
    { ...offer, blocks: [...offer.blocks, text("hello", "Hello")] },
  ];
  expect(differs({ groups, editor: { notes: [{ id: "n1", text: "Think" }] } })).toEqual([
    "moved on the canvas unnoticed group g1",
    "same group g2",
    "  moved moved block hello from g1",
    "added unnoticed note n1",
  ]);
  expect(differs({ groups: [offer, welcome] })).toEqual(["moved moved unnoticed group g2"]);
});

test("changed cards, rows and edges are marked with signs", () => {
  const after = { ...flow, groups: [{ ...welcome, blocks: [choice] }], edges: [{ id: "e1", to: { groupId: "g1" } }] };
  const changed = compareDrafts(flow, after);
  const marks = marksOf(changed, currentWords(differenceWords).is);
  expect(Object.fromEntries([...marks].map(([id, { sign, label }]) => [id, `${sign} ${label}`]))).toEqual({
    g1: "~ changed",
    hello: "− removed",
    ask: "~ changed",
    yes: "~ changed",
    e2: "− removed",
    g2: "− removed",
    offer: "− removed",
  });
  expect(withRemoved(flow, after).groups.map(({ id, blocks }) => [id, blocks?.map((block) => block.id)])).toEqual([
    ["g2", ["offer"]],
    ["g1", ["hello", "ask"]],
  ]);
});

test("removed blocks, items and edges keep their position", () => {
  const one = {
    ...flow,
    groups: [{ ...welcome, blocks: [text("a", "A"), text("b", "B"), choice, text("c", "C")] }, offer],
  };
  const left = { ...choice, items: [no, { id: "maybe", content: "Maybe" }] };
  const two = {
    ...flow,
    groups: [
      { ...welcome, blocks: [text("new", "New"), left] },
      { ...offer, graphCoordinates: { x: 90, y: 40 } },
    ],
    edges: [{ id: "e1", to: { groupId: "g1" } }],
  };
  const shown = withRemoved(one, two);
  expect(shown.groups[0]?.blocks?.map(({ id }) => id)).toEqual(["a", "b", "new", "ask", "c"]);
  const items: unknown = shown.groups[0]?.blocks?.[3]?.["items"];
  expect(items).toEqual([yes, no, { id: "maybe", content: "Maybe" }]);
  expect(shown.edges.map(({ id }) => id)).toEqual(["e1", "e2"]);
  const changed = compareDrafts(one, two);
  expect(placesLeft(changed)).toEqual([{ id: "g2", x: 9, y: 0 }]);
  // The edge of a removed item is drawn with the item. The edge of the start still exists.
  expect(edgesGone(changed)).toEqual([]);
  const aside = compareDrafts(flow, { ...flow, events: [{ id: "start", type: "start" }], edges: flow.edges.slice(1) });
  expect(edgesGone(aside).map(({ outlet, to }) => [outlet.target.id, to])).toEqual([["start", { groupId: "g1" }]]);
  // A flow without a difference is shown unchanged, as the same object.
  expect(withRemoved(flow, flow).groups).toEqual(flow.groups);
});

test("values are shown with names instead of ids", () => {
  const names = namesIn(
    { groups: [welcome, { ...offer, title: "" }], variables: [{ id: idOf("v1"), name: "Plan" }] },
    {
      types: undefined,
      untitled: "Untitled group",
      around: {
        bots: new Map([["b2", { name: "Shop", groups: new Map([["x1", "Basket"]]) }]]),
        credentials: new Map([["c1", "Mail of the team"]]),
      },
    },
  );
  const words = { on: "On", off: "Off", unsentId: "something", thisBot: "This bot" };
  const say = (value: unknown, schema?: FieldSchema) => valueText(value, schema, { names, words });
  expect(say(idOf("v1"), { widget: "variable" })).toBe("Plan");
  expect(["g1", "g2", "x1", "gone", "{{Plan}}"].map((id) => say(id, { widget: "group" }))).toEqual([
    "Welcome",
    "Untitled group",
    "Basket",
    "something",
    "{{Plan}}",
  ]);
  expect(["b2", "current", "b9"].map((id) => say(id, { widget: "bot" }))).toEqual(["Shop", "This bot", "something"]);
  expect(say("c1", { widget: "credentials" })).toBe("Mail of the team");
  expect(say(true, { type: "boolean" })).toBe("On");
  const headers = { widget: "pairs", type: "array", items: { properties: { id: {}, key: {}, value: {} } } } as const;
  expect(
    say(
      [
        { id: "1", key: "Accept", value: "text/plain" },
        { id: "2", key: "X" },
      ],
      headers,
    ),
  ).toBe("Accept: text/plain\nX: ");
  const font = { properties: { type: { title: "Source" }, family: {} } };
  expect(say({ type: "Google", family: "Lora" }, font)).toBe("Source: Google\nFamily: Lora");
  const condition = {
    logicalOperator: "OR",
    comparisons: [
      { id: "1", variableId: idOf("v1"), comparisonOperator: "Equal to", value: "Pro" },
      { id: "2", variableId: idOf("v9"), comparisonOperator: "Is set" },
    ],
  };
  expect(say(condition, { isCondition: true })).toBe("Plan = Pro or is set");
  const link = { type: "a", url: "https://tea.example", children: [{ text: "our shop" }] };
  expect(say([{ type: "p", children: [{ text: "See " }, link] }], { widget: "richText", type: "array" })).toBe(
    "See our shop (https://tea.example)",
  );
  expect(say({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
});

test("changed colours and locks are listed at their group", () => {
  const editor = { notes: [{ id: "n1", text: "Think", graphCoordinates: { x: 0, y: 0 } }], colors: { g1: "red" } };
  const notes = [{ id: "n1", text: "Think", graphCoordinates: { x: 9, y: 0 } }];
  const changed = compareDrafts(
    { ...flow, editor },
    { ...flow, editor: { notes, colors: { g1: "blue" }, locks: { g2: true } } },
  );
  expect(said(changed)).toEqual([
    "changed unnoticed group g1",
    "changed unnoticed group g2",
    "moved on the canvas unnoticed note n1",
  ]);
  expect(changed.flatMap(({ beside }) => beside)).toEqual([
    { what: "color", from: "red", to: "blue" },
    { what: "lock", to: true },
  ]);
});

test("absent values are shown as their default", () => {
  const saying = {
    names: namesIn(flow, { types: undefined, untitled: "", around: { bots: new Map(), credentials: new Map() } }),
    words: { on: "On", off: "Off", unsentId: "something", thisBot: "This bot" },
  };
  const show = (value: unknown, field: FieldSchema, around: unknown = {}) =>
    shownValue(value, { field, around: { value: around, schema: undefined } }, saying);
  const color = { type: "string", widget: "color", default: "#fff" } as const;
  expect(show("rgb(1, 2, 3)", color)).toEqual({ text: "rgb(1, 2, 3)", color: "rgb(1, 2, 3)", isByDefault: false });
  expect(show(null, color)).toEqual({ text: "#fff", color: "#fff", isByDefault: true });
  expect(show("{{Color}}", color).color).toBeUndefined();
  expect(show(undefined, { type: "boolean", default: false })).toEqual({ text: "Off", isByDefault: true });
  const background = { type: "string", widget: "background" } as const;
  expect(show("https://a.example/b.png", background, { type: "Image" }).picture).toBe("https://a.example/b.png");
  expect(show("#123456", background, { type: "Color" }).color).toBe("#123456");
  expect(show("<svg></svg>", { type: "string", widget: "media", holds: "image" }).text).toBe("SVG");
  const texts = { type: "array", items: { type: "string" }, widget: "texts" } as const;
  const lists = listsOf(["a", "b"], ["b", "c"], texts, { before: saying, after: saying });
  expect(entryRuns(lists?.before ?? [], lists?.after ?? [])).toEqual([
    { is: "removed", text: "a" },
    { is: "same", text: "b" },
    { is: "added", text: "c" },
  ]);
});

test("texts are compared word by word", () => {
  const runs = (from: string, to: string) =>
    differenceByWord(from, to)
      .map(({ is, text: words }) => (is === "same" ? words : is === "added" ? `{+${words}+}` : `[-${words}-]`))
      .join("");
  expect(runs("We ship on Monday.", "We ship by Tuesday evening.")).toBe(
    "We ship [-on Monday.-]{+by Tuesday evening.+}",
  );
  expect(runs("", "New")).toBe("{+New+}");
  expect(runs("one two three", "one three")).toBe("one [-two -]three");
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "c", " ", "\n")),
      fc.array(fc.constantFrom("a", "b", "c", " ")),
      (one, other) => {
        const found = differenceByWord(one.join(""), other.join(""));
        const side = (gone: string) => found.flatMap(({ is, text: words }) => (is === gone ? [] : [words])).join("");
        expect(side("added")).toBe(one.join(""));
        expect(side("removed")).toBe(other.join(""));
      },
    ),
  );
});

/**
 * Expects that each changed path is listed by exactly one line with both values, and that all lines together turn one
 * flow into the other.
 */
function expectWhole(before: DraftDocument, after: DraftDocument): void {
  const changed = [...eachThing(compareDrafts(before, after))];
  const changes = diff(before, after);
  const explained = changed.flatMap((one) => one.changes);
  expect(explained).toHaveLength(changes.length);
  expect(new Set(explained.map((one) => canonicalize(one)))).toEqual(new Set(changes.map((one) => canonicalize(one))));
  expect(
    canonicalize(
      apply(
        before,
        changes.filter((change) => explained.some((one) => isSame(one, change))),
      ),
    ),
  ).toBe(canonicalize(after) ?? "");
  expect(new Set(changed.map(({ key }) => key)).size).toBe(changed.length);
  const owned = new Set([...eachOutlet(before), ...eachOutlet(after)].flatMap(({ edgeId }) => edgeId ?? []));
  for (const one of changed) {
    for (const change of one.changes) expectShown(one, change, owned);
    for (const { path, from, to } of one.values) expect([path, isSame(from, to)]).toEqual([path, false]);
    // No field is listed within another listed field.
    for (const { path } of one.values) expect(one.values.filter((other) => isWithin(other.path, path))).toHaveLength(1);
  }
}

function expectShown(one: ThingChange, change: Change, owned: ReadonlySet<string>): void {
  if (change.op === "add" && !owned.has(String(change.value["id"]))) expect(one.is).toBe("added");
  if (change.op === "move" && change.of !== "edge") expect(one.isMoved).toBe(true);
  if (change.op !== "set" || change.of === "edge" || change.path.at(-1) === "outgoingEdgeId") return;
  if (change.path[0] === "graphCoordinates" && one.isMovedOnCanvas) return;
  // The color of a group is listed with the group, unless the group is added or removed.
  if (change.of === "editor" && one.of === "group") return;
  const value = one.values.find(({ path }) => isWithin(change.path, path) || isWithin(path, change.path));
  expect(value).toBeDefined();
  expect(isSame(value?.to, valueAtPath(one.after, value?.path ?? []))).toBe(true);
}

function isWithin(path: Path, other: Path): boolean {
  return other.every((step, index) => path[index] === step);
}

test("every path that differs between two flows is listed once", () => {
  fc.assert(
    fc.property(editedFlows(), ({ before, after }) => {
      expectWhole(before, after);
      expectWhole(after, before);
    }),
    { numRuns: 150 },
  );
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = createDice(seed);
      let [after, names] = [smallDraft(), 0];
      for (let count = 0; count < 6; count++) {
        const changes = randomChanges(after, dice, () => `new${++names}`);
        after = asDraft(apply(after, changes));
      }
      expectWhole(smallDraft(), after);
    }),
    { numRuns: 60 },
  );
});

test("titles of comparisons follow the grammar of English, German and Portuguese", async () => {
  const draft = { kind: "draft" } as const;
  const one = { kind: "version", number: 1 } as const;
  const then = { kind: "moment", revision: 7 } as const;
  const titles = () => {
    return [comparisonTitle(one, draft), comparisonTitle(draft, one), comparisonTitle(then, draft)];
  };
  expect(titles()).toEqual([
    "From version 1 to the draft",
    "From the draft to version 1",
    "From the draft as of change 7 to the draft",
  ]);
  expect(await inLanguage("de", titles)).toEqual([
    "Von Version 1 zum Entwurf",
    "Vom Entwurf zu Version 1",
    "Vom Entwurf (Stand der Änderung 7) zum Entwurf",
  ]);
  expect(await inLanguage("pt-BR", titles)).toEqual([
    "Da versão 1 para o rascunho",
    "Do rascunho para a versão 1",
    "Do rascunho na mudança 7 para o rascunho",
  ]);
  const added = () => [1, 3].map((count) => currentWords(differenceWords).counted.added({ count }));
  expect(await inLanguage("pt-BR", added)).toEqual(["1 novo", "3 novos"]);
});
