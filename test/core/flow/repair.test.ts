import { describe, expect, test } from "bun:test";
import { readRepairedParts } from "../../../src/core/flow/repair/read-repaired.ts";
import { repairFlow } from "../../../src/core/flow/repair/repair-flow.ts";
import { AppError } from "../../../src/errors.ts";
import { idOf } from "../../support/builder-ids.ts";

const at = { x: 0, y: 0 };
const group = (id: string, title: string, blocks: object[]) => ({ id, title, graphCoordinates: at, blocks });
const text = (id: string, more: object = {}) => ({ id, type: "text", content: { richText: [] }, ...more });
const read = (flow: object) => readRepairedParts(flow, "bot").parts;
const event = { id: "start", type: "start", graphCoordinates: at, outgoingEdgeId: "first" };

describe("a repaired flow", () => {
  test("a flow without repeated ids is returned as the same object", () => {
    const flow = read({
      groups: [group("g", "G", [text("a"), text("b")])],
      edges: [{ id: "e", to: { groupId: "g" } }],
    });
    expect(repairFlow(flow).parts).toBe(flow);
  });

  test("the second of two blocks with the same id gets a new id", () => {
    const flow = read({
      groups: [
        group("one", "One", [text("b", { outgoingEdgeId: "e1" })]),
        group("two", "Two", [text("b", { outgoingEdgeId: "e2" })]),
      ],
      edges: [
        { id: "e1", from: { blockId: "b" }, to: { groupId: "two", blockId: "b" } },
        { id: "e2", from: { blockId: "b" }, to: { groupId: "one", blockId: "b" } },
      ],
    });
    expect(flow.groups?.map(({ blocks }) => blocks?.map(({ id }) => id))).toEqual([["b"], ["b-2"]]);
    expect(flow.edges).toEqual([
      { id: "e1", from: { blockId: "b" }, to: { groupId: "two", blockId: "b-2" } },
      { id: "e2", from: { blockId: "b-2" }, to: { groupId: "one", blockId: "b" } },
    ]);
  });

  test("edges with the same id get unique ids", () => {
    const choice = {
      id: "c",
      type: "choice input",
      items: [
        { id: "i", content: "A", outgoingEdgeId: "e" },
        { id: "i", content: "B", outgoingEdgeId: "e" },
      ],
      outgoingEdgeId: "e",
    };
    const cards = { id: "k", type: "cards", items: [{ id: "i", paths: [{ id: "p", outgoingEdgeId: "e" }] }] };
    const call = { id: "h", type: "Webhook", options: { failure: { outgoingEdgeId: "e" } } };
    const from = [
      { eventId: "start" },
      { blockId: "c", itemId: "i" },
      { blockId: "c", itemId: "i" },
      { blockId: "c" },
      { blockId: "k", itemId: "i", pathId: "p" },
      { blockId: "h" },
    ];
    const flow = read({
      events: [{ ...event, outgoingEdgeId: "e" }],
      groups: [group("g", "G", [choice, cards, call])],
      edges: from.map((one, index) => ({ id: "e", from: one, to: { groupId: `g${index}` } })),
    });
    const ids = flow.edges?.map(({ id }) => id);
    expect(ids).toEqual(["e", "e-2", "e-3", "e-4", "e-5", "e-6"]);
    expect(flow.edges?.[2]?.from).toEqual({ blockId: "c", itemId: "i-2" });
    expect(flow.events?.[0]?.outgoingEdgeId).toBe("e");
    expect<unknown>(flow.groups?.[0]?.blocks).toEqual([
      {
        ...choice,
        items: [
          { id: "i", content: "A", outgoingEdgeId: "e-2" },
          { id: "i-2", content: "B", outgoingEdgeId: "e-3" },
        ],
        outgoingEdgeId: "e-4",
      },
      { ...cards, items: [{ id: "i", paths: [{ id: "p", outgoingEdgeId: "e-5" }] }] },
      { ...call, options: { failure: { outgoingEdgeId: "e-6" } } },
    ]);
  });

  test("jumps and links of a repaired flow refer to the new ids", () => {
    const jump = (id: string, options: object) => ({ id, type: "Jump", options });
    const flow = read({
      groups: [
        group("g", "One", [text("a"), { id: "w", type: "text" }]),
        group("g", "Two", [text("b"), { id: "w", type: "webhook" }]),
        group("rest", "Rest", [
          jump("j1", { groupId: "g", blockId: "b" }),
          jump("j2", { groupId: "g" }),
          jump("j3", { groupId: "{{Where}}", blockId: "b" }),
          { id: "l1", type: "Typebot link", options: { typebotId: "current", groupId: "g", blockId: "b" } },
          { id: "l2", type: "Typebot link", options: { typebotId: "other", groupId: "g", blockId: "b" } },
          { id: "s", type: "Set variable", options: { type: "Callback address", blockId: "w" } },
          { id: "w", type: "choice input", items: [{ id: "i", blockId: "w", content: "v5" }] },
        ]),
      ],
    });
    const [one, two, rest] = flow.groups ?? [];
    expect([one?.id, two?.id]).toEqual(["g", "g-2"]);
    expect(two?.blocks?.map(({ id }) => id)).toEqual(["b", "w-2"]);
    expect(rest?.blocks).toMatchObject([
      { options: { groupId: "g-2", blockId: "b" } },
      { options: { groupId: "g" } },
      { options: { groupId: "{{Where}}", blockId: "b" } },
      { options: { groupId: "g-2", blockId: "b" } },
      { options: { typebotId: "other", groupId: "g", blockId: "b" } },
      { options: { blockId: "w-2" } },
      { id: "w-3", items: [{ blockId: "w-3" }] },
    ]);
  });

  test("an edge of a repaired flow starts in the group that the edge names", () => {
    const blocks = () => [text("b", { outgoingEdgeId: "e" })];
    const flow = read({
      groups: [group("one", "One", blocks()), group("two", "Two", blocks())],
      edges: [
        { id: "e", from: { groupId: "two", blockId: "b" }, to: { groupId: "one" } },
        { id: "e", from: { blockId: "b" }, to: { groupId: "two" } },
        { id: "e", from: { blockId: "b" }, to: { groupId: "two" } },
      ],
    });
    expect(flow.edges?.map(({ id, from }) => [id, from?.blockId])).toEqual([
      ["e", "b-2"],
      ["e-2", "b"],
      ["e-3", "b"],
    ]);
    expect(flow.groups?.map((one) => one.blocks?.[0]?.outgoingEdgeId)).toEqual(["e-2", "e"]);
  });

  test("two outlets keep one edge id if their edges are identical", () => {
    const call = { id: "h", type: "Webhook", outgoingEdgeId: "e", options: { failure: { outgoingEdgeId: "e" } } };
    const edge = { id: "e", from: { blockId: "h" }, to: { groupId: "g" } };
    const flow = read({ groups: [group("g", "G", [call])], edges: [edge, edge] });
    expect<unknown>(flow.groups?.[0]?.blocks?.[0]).toEqual(call);
  });

  test("a new id in a repaired flow differs from all ids in the file", () => {
    const flow = read({ groups: [group("g", "G", [text("b"), text("b"), text("b-2"), text("b")])] });
    expect(flow.groups?.[0]?.blocks?.map(({ id }) => id)).toEqual(["b", "b-3", "b-2", "b-4"]);
  });

  test("a repaired flow copies the colour of a repeated group to its new id", () => {
    const flow = read({ groups: [group("g", "A", []), group("g", "B", [])] });
    expect(flow.groups?.map(({ id }) => id)).toEqual(["g", "g-2"]);
    const twice = { groups: [group("g", "A", []), group("g", "B", [])] };
    const { editor } = readRepairedParts(twice, "bot", { editor: { colors: { g: "red", x: "blue" }, notes: [] } });
    expect(editor).toEqual({ colors: { g: "red", "g-2": "red", x: "blue" }, notes: [] });
  });

  test("an event's edge with a repeated id gets a new id", () => {
    const flow = read({
      events: [{ ...event, outgoingEdgeId: "e" }],
      groups: [
        group("g", "G", [
          text("a", { outgoingEdgeId: "e" }),
          { id: "a", type: "Telepathy", outgoingEdgeId: "gone", items: [{ content: "No id" }] },
        ]),
        { id: "empty", title: "Empty", graphCoordinates: at },
      ],
      edges: [
        { id: "e", from: { blockId: "a" }, to: { groupId: "g" } },
        { id: "e", from: { eventId: "start" }, to: { groupId: "empty" } },
      ],
    });
    expect(flow.events?.[0]?.outgoingEdgeId).toBe("e-2");
    expect<unknown>(flow.groups?.[0]?.blocks).toEqual([
      text("a", { outgoingEdgeId: "e" }),
      { id: "a-2", type: "Telepathy", outgoingEdgeId: "gone", items: [{ content: "No id" }] },
    ]);
    expect(flow.groups?.[1]).toEqual({ id: "empty", title: "Empty", graphCoordinates: at });
  });

  test.each([
    ["groups", { groups: [group("g", "A", []), group("g", "B", [text("a")])], edges: [{ id: "e" }] }, 1],
    ["edges", { groups: [group("g", "A", [text("a")])], edges: [{ id: "e" }, { id: "e" }] }, 1],
    [
      "items of one block",
      { groups: [group("g", "A", [text("a"), { id: "b", type: "choice input", items: [{ id: "i" }, { id: "i" }] }])] },
      1,
    ],
    [
      "items of two blocks",
      {
        groups: [
          group(
            "g",
            "A",
            ["a", "b"].map((id) => ({ id, type: "choice input", items: [{ id: "i" }] })),
          ),
        ],
      },
      0,
    ],
  ])("repeated ids of %s cause the expected number of repairs", (_, flow, count) => {
    expect(readRepairedParts(flow, "bot").repairs).toHaveLength(count);
  });

  test("a repair leaves an editor's data without colours unchanged", () => {
    const twice = { groups: [group("g", "A", []), group("g", "B", [])] };
    for (const editor of [null, undefined, { notes: [] }]) {
      expect(readRepairedParts(twice, "bot", { editor }).editor).toEqual(editor);
    }
  });

  test("the repair of a block with an unknown type names the block by its type", () => {
    const { repairs } = readRepairedParts(
      { groups: [group("g", "", [text("b"), { id: "b", type: "Telepathy" }])] },
      "bot",
    );
    expect(repairs).toEqual([{ kind: "block", was: "b", id: "b-2", blockName: "Telepathy" }]);
  });

  test("a repair contains the title of the group and the name of the block", () => {
    const { repairs } = readRepairedParts(
      {
        groups: [group("g", "Contact", [text("b"), { id: "b", type: "text input" }])],
        edges: [{ id: "e" }, { id: "e" }],
      },
      "bot",
    );
    expect(repairs).toEqual([
      { kind: "block", was: "b", id: "b-2", groupTitle: "Contact", blockName: "Text input" },
      { kind: "edge", was: "e", id: "e-2" },
    ]);
  });
});

describe("an update of an imported flow", () => {
  const stored = read({ groups: [group("one", "One", []), group("two", "Two", [text("b")])], edges: [] });
  const former = { groups: stored.groups ?? [], edges: stored.edges ?? [] };
  const idsOf = (flow: object, before = former) =>
    readRepairedParts(flow, "bot", { former: before }).parts.groups?.map(({ id, blocks }) => [
      id,
      ...(blocks ?? []).map((block) => block.id),
    ]);

  test("an update keeps a repeated id for the block in the stored group", () => {
    const flow = { groups: [group("one", "One", [text("b")]), group("two", "Two", [text("b")])] };
    expect(idsOf(flow)).toEqual([
      ["one", "b-2"],
      ["two", "b"],
    ]);
  });

  test("an update keeps a repeated id for the group with the stored title", () => {
    expect(idsOf({ groups: [group("two", "New", []), group("two", "Two", [text("b")])] })).toEqual([
      ["two-2"],
      ["two", "b"],
    ]);
  });

  test("an update recognises groups of the last import that were reordered", () => {
    const blocks = () => [text("b"), text("b")];
    const [one, two] = [group("g", "One", blocks()), group("g", "Two", [])];
    const stored = readRepairedParts({ groups: [one, two] }, "bot").parts;
    const moved = readRepairedParts({ groups: [two, one] }, "bot", {
      former: { groups: stored.groups ?? [], edges: [] },
    });
    expect(moved.parts.groups).toEqual(stored.groups?.toReversed());
  });

  test("an update gives repeated blocks the ids that they got in the last import", () => {
    const stored = readRepairedParts({ groups: [group("g", "G", [text("b"), text("b"), text("b")])] }, "bot").parts;
    const update = { groups: [group("g", "G", [text("b"), text("b"), { id: "i", type: "text input" }, text("b")])] };
    expect(idsOf(update, { groups: stored.groups ?? [], edges: [] })).toEqual([["g", "b", "b-2", "i", "b-3"]]);
  });

  test("an outlet without its own edge uses the first edge with the repeated id", () => {
    const stored = { groups: [], edges: [{ id: "e", from: { blockId: "b" }, to: { groupId: "g" } }] };
    const blocks = [
      text("a", { outgoingEdgeId: "e" }),
      text("b", { outgoingEdgeId: "e" }),
      text("c", { outgoingEdgeId: "e" }),
    ];
    const edges = ["a", "b"].map((blockId) => ({ id: "e", from: { blockId }, to: { groupId: "g" } }));
    const { parts } = readRepairedParts({ groups: [group("g", "G", blocks)], edges }, "bot", { former: stored });
    expect(parts.edges?.map(({ id }) => id)).toEqual(["e-2", "e"]);
    expect(parts.groups?.[0]?.blocks?.map((block) => block.outgoingEdgeId)).toEqual(["e-2", "e", "e-2"]);
  });

  test("a reference to a repeated id leads to the first element", () => {
    const stored = { groups: [{ ...group("g", "Two", []), blocks: [{ id: "b", type: "webhook" }] }], edges: [] };
    const jump = (id: string, options: object) => ({ id, type: "Jump", options });
    const jumps = [
      jump("j1", { groupId: "g" }),
      jump("j2", { groupId: "{{Where}}", blockId: "b" }),
      { id: "c", type: "choice input", items: [{ id: "i", blockId: "other" }] },
      { id: "s", type: "Set variable", options: { type: "Callback address", blockId: "gone" } },
    ];
    const groups = [group("g", "One", [text("b")]), group("g", "Two", [{ id: "b", type: "webhook" }, ...jumps])];
    const edges = [{ id: "e", to: { groupId: "g" } }];
    const { parts } = readRepairedParts({ groups, edges }, "bot", { former: stored });
    expect(parts.groups?.map(({ id, blocks }) => [id, blocks?.[0]?.id])).toEqual([
      ["g-2", "b-2"],
      ["g", "b"],
    ]);
    expect(parts.edges?.[0]?.to).toEqual({ groupId: "g-2" });
    expect<unknown>(parts.groups?.[1]?.blocks?.slice(1)).toEqual([
      jump("j1", { groupId: "g-2" }),
      jump("j2", { groupId: "{{Where}}", blockId: "b-2" }),
      { id: "c", type: "choice input", items: [{ id: "i", blockId: "other" }] },
      { id: "s", type: "Set variable", options: { type: "Callback address", blockId: "gone" } },
    ]);
  });

  test("an update recognises groups even if the file has a start group", () => {
    const before = {
      groups: [
        { ...group("mine", "A", []), blocks: [text("a")] },
        { ...group("g", "A", []), blocks: [text("c")] },
      ],
      edges: [],
    };
    const start = group("sg", "Start", [{ id: "s", type: "start" }]);
    const update = { version: "5", groups: [start, group("g", "A", [text("a")]), group("g", "A", [text("c")])] };
    expect(idsOf(update, before)).toEqual([
      ["sg", "s"],
      ["mine", "a"],
      ["g", "c"],
    ]);
  });

  test("a repeated block reuses a stored id only from the same group", () => {
    const twice = { groups: [group("one", "One", [text("b"), text("b")])] };
    const named = { groups: [{ ...group("one", "One", []), blocks: [text("b"), text("mine")] }], edges: [] };
    expect(idsOf(twice, named)).toEqual([["one", "b", "mine"]]);
    const elsewhere = { groups: [{ ...group("x", "X", []), blocks: [text("b-2")] }], edges: [] };
    expect(idsOf(twice, elsewhere)).toEqual([["one", "b", "b-3"]]);
  });
});

describe("a refused file", () => {
  test.each([
    [
      { groups: [group("g", "Contact", [text("a"), { id: "b", type: "text input", options: { labels: 1 } }])] },
      'Group "Contact", block 2 (Text input): options.labels must be an object.',
    ],
    [
      { groups: [{ id: "g", title: "Contact", graphCoordinates: "here" }] },
      'Group "Contact": graphCoordinates must be ',
    ],
    [
      {
        variables: [
          { id: idOf("v"), name: "Name" },
          { id: idOf("v"), name: "Mail" },
        ],
      },
      'Variable "Mail": id must not occur twice.',
    ],
    [{ groups: [{ id: "g", graphCoordinates: "here" }] }, "Group 1: graphCoordinates must be "],
    [{ groups: [{ ...group("g", "Contact", []), blocks: 3 }] }, 'Group "Contact": blocks must be '],
    [{ groups: 3 }, "The file: groups must be "],
    [{ theme: { general: 1 } }, "The file: theme.general must be "],
    [3, "The file: it must be "],
  ])("the message for a refused file names the faulty part or the file, and contains the remedy", (flow, begins) => {
    const refusal = refusalOf(() => readRepairedParts(flow, "bot"));
    expect(refusal.message).toStartWith(begins);
    expect(refusal.message).toEndWith("Correct it in the file, or where the file comes from, and import it again.");
    expect(refusal.data).toMatchObject({
      issues: [{ path: expect.stringMatching(/^bot/), place: expect.any(String) }],
    });
  });
});

test("a file in which all ids are equal is repaired within five seconds", () => {
  const blocks = Array.from({ length: 50 }, () => ({
    ...text("x", { outgoingEdgeId: "x" }),
    items: [{ id: "x", outgoingEdgeId: "x" }, { id: "x" }],
  }));
  const flow = {
    groups: Array.from({ length: 20 }, (_, index) =>
      group(
        "x",
        `${index}`,
        blocks.map((block) => ({ ...block })),
      ),
    ),
    edges: Array.from({ length: 1_000 }, () => ({
      id: "x",
      from: { blockId: "x" },
      to: { groupId: "x", blockId: "x" },
    })),
  };
  const started = performance.now();
  const { parts, repairs } = readRepairedParts(flow, "bot");
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(repairs).toHaveLength(19 + 999 + 1_000 + 999);
  expect(new Set(parts.edges?.map(({ from }) => from?.blockId)).size).toBe(1_000);
  expect(readRepairedParts(parts, "bot").repairs).toEqual([]);
});

test("a file with 10,000 blocks of one id is repaired", () => {
  const blocks = () => Array.from({ length: 500 }, () => text("x"));
  const flow = { groups: Array.from({ length: 20 }, (_, index) => group("x", `${index}`, blocks())) };
  const { parts, repairs } = readRepairedParts(flow, "bot");
  expect(repairs).toHaveLength(19 + 9_999);
  const former = { groups: parts.groups ?? [], edges: [] };
  expect(readRepairedParts(flow, "bot", { former }).parts).toEqual(parts);
});

function refusalOf(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("not refused");
}
