import { describe, expect, test } from "bun:test";
import { aSeed, bubble, chatWith, question } from "./logic-flow.ts";

const equalTo = (variable: string, value: string) => ({
  logicalOperator: "AND",
  comparisons: [{ id: "c", variableId: `v${variable}`, comparisonOperator: "Equal to", value }],
});

describe("Condition", () => {
  const items = [
    { id: "i1", content: equalTo("A", "1"), outgoingEdgeId: "e1" },
    { id: "i2", content: equalTo("A", "2"), outgoingEdgeId: "e2" },
    { id: "i3", content: equalTo("A", "3") },
  ];
  const groups = {
    g1: [{ id: "b1", type: "Condition", items }, bubble("b2", "else")],
    one: [bubble("b3", "one")],
    two: [bubble("b4", "two")],
  };
  const edges = { e1: "one", e2: "two" };

  test("the flow follows the edge of the matching item, and the edge is recorded", () => {
    const { start } = chatWith({ groups, edges, variables: { A: "2" } });
    expect(start.said).toEqual(["two"]);
    expect(start.visitedEdgeIds).toEqual(["e2"]);
  });

  test("the first of several matching items is used", () => {
    const both = [{ id: "i1", content: equalTo("A", "1"), outgoingEdgeId: "e2" }, ...items];
    const { start } = chatWith({
      groups: { ...groups, g1: [{ id: "b1", type: "Condition", items: both }] },
      edges,
      variables: { A: "1" },
    });
    expect(start.said).toEqual(["two"]);
  });

  test("a matching item without an edge ends the chat, even if blocks follow", () => {
    const { start } = chatWith({ groups, edges, variables: { A: "3" } });
    expect(start.said).toEqual([]);
    expect(start.isEnded).toBe(true);
  });

  test("the flow continues with the next block if no item matches", () => {
    const { start } = chatWith({ groups, edges, variables: { A: "9" } });
    expect(start.said).toEqual(["else"]);
  });

  test("the flow follows the block's own edge if no item matches", () => {
    const g1 = [{ id: "b1", type: "Condition", items, outgoingEdgeId: "e1" }, bubble("b2", "else")];
    const { start } = chatWith({ groups: { ...groups, g1 }, edges, variables: { A: "9" } });
    expect(start.said).toEqual(["one"]);
    expect(start.visitedEdgeIds).toEqual([]);
  });

  test("an item without content does not match", () => {
    const g1 = [{ id: "b1", type: "Condition", items: [{ id: "i1", outgoingEdgeId: "e1" }] }, bubble("b2", "else")];
    const { start } = chatWith({ groups: { ...groups, g1 }, edges });
    expect(start.said).toEqual(["else"]);
  });

  test("a condition without items continues the flow", () => {
    const { start } = chatWith({ groups: { g1: [{ id: "b1", type: "Condition" }, bubble("b2", "else")] } });
    expect(start.said).toEqual(["else"]);
  });

  test("an invalid pattern does not match, and is logged", () => {
    const comparisons = [{ variableId: "vA", comparisonOperator: "Does not match regex", value: "(" }];
    const g1 = [
      { id: "b1", type: "Condition", items: [{ id: "i1", content: { comparisons }, outgoingEdgeId: "e1" }] },
      bubble("b2", "else"),
    ];
    const { start } = chatWith({ groups: { ...groups, g1 }, edges, variables: { A: "x" } });
    expect(start.said).toEqual(["else"]);
    expect(start.logs).toHaveLength(1);
    expect(start.logs[0]).toMatchObject({ context: "Condition" });
  });
});

describe("AB test", () => {
  const groups = (aPercent: number | undefined, edgeOfA: string | undefined, edgeOfB: string | undefined) => ({
    g1: [
      {
        id: "b1",
        type: "AB test",
        options: { aPercent },
        items: [
          { id: "i1", path: "a", outgoingEdgeId: edgeOfA },
          { id: "i2", path: "b", outgoingEdgeId: edgeOfB },
        ],
      },
      bubble("b2", "neither"),
    ],
    a: [bubble("b3", "A")],
    b: [bubble("b4", "B")],
  });
  const edges = { ea: "a", eb: "b" };
  const said = (aPercent: number | undefined, edgeOfA: string | undefined, edgeOfB: string | undefined, seed = aSeed) =>
    chatWith({ groups: groups(aPercent, edgeOfA, edgeOfB), edges }, { seed }).start.said;

  test("every visitor takes path A at 100 percent, and path B at 0 percent", () => {
    expect(said(100, "ea", "eb")).toEqual(["A"]);
    expect(said(0, "ea", "eb")).toEqual(["B"]);
  });

  test("path A without an edge continues on path B", () => expect(said(100, undefined, "eb")).toEqual(["B"]));
  test("path B without an edge continues in the group", () => expect(said(0, "ea", undefined)).toEqual(["neither"]));
  test("an AB test without edges continues in the group", () =>
    expect(said(100, undefined, undefined)).toEqual(["neither"]));

  test("about half of 400 visitors take path A by default", () => {
    const seeds = Array.from({ length: 400 }, (_, index) =>
      Bun.hash(String(index)).toString(16).padStart(16, "0").repeat(2),
    );
    const paths = seeds.map((seed) => said(undefined, "ea", "eb", seed)[0]);
    expect(seeds.map((seed) => said(undefined, "ea", "eb", seed)[0])).toEqual(paths);
    const share = paths.filter((path) => path === "A").length / paths.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
  });
});

describe("Jump and Return", () => {
  const jumpTo = (options: Readonly<Record<string, string>>, more: object = {}) => ({
    id: "j",
    type: "Jump",
    options,
    ...more,
  });

  test("a jump continues at the group's first block", () => {
    const { start } = chatWith({
      groups: { g1: [jumpTo({ groupId: "g2" }), bubble("b1", "skipped")], g2: [bubble("b2", "there")] },
    });
    expect(start.said).toEqual(["there"]);
    expect(start.visitedEdgeIds).toEqual(["virtual-g2"]);
  });

  test("a jump may have a block as its target", () => {
    const groups = {
      g1: [jumpTo({ groupId: "g2", blockId: "b3" })],
      g2: [bubble("b2", "first"), bubble("b3", "second")],
    };
    const { start } = chatWith({ groups });
    expect(start.said).toEqual(["second"]);
    expect(start.visitedEdgeIds).toEqual(["virtual-g2-b3"]);
  });

  test("a jump finds its group by a title in a variable", () => {
    const groups = { g1: [jumpTo({ groupId: "{{Where}}" })], g2: [bubble("b2", "there")] };
    const { start } = chatWith({ groups, titles: { g2: "The end" }, variables: { Where: "The end" } });
    expect(start.said).toEqual(["there"]);
  });

  test("a jump does not find a group by an id in a variable", () => {
    const groups = { g1: [jumpTo({ groupId: "{{Where}}" })], g2: [bubble("b2", "there")] };
    const { start } = chatWith({ groups, titles: { g2: "The end" }, variables: { Where: "g2" } });
    expect(start.said).toEqual([]);
  });

  test("a jump without a group continues the flow", () => {
    const { start } = chatWith({ groups: { g1: [jumpTo({}), bubble("b1", "on")] } });
    expect(start.said).toEqual(["on"]);
  });

  test.each([
    ["an unknown id", { groupId: "nowhere" }, "Group to jump to is not found", { groupIdOrTitle: "nowhere" }],
    ["an unknown title", { groupId: "{{Title}}" }, "Group to jump to is not found", { groupIdOrTitle: "Away" }],
    ["an empty variable", { groupId: "{{Empty}}" }, "Group to jump to is not found", { groupIdOrTitle: "{{Empty}}" }],
    [
      "a block of another group",
      { groupId: "g2", blockId: "b1" },
      "Block to jump to is not found",
      { groupIdOrTitle: "g2", blockId: "b1" },
    ],
  ])("a jump to %s ends the chat with a log entry", (_, options, description, details) => {
    const { start } = chatWith({
      groups: { g1: [jumpTo(options), bubble("b1", "no")], g2: [bubble("b2", "no")] },
      variables: { Empty: null, Title: "Away" },
    });
    expect(start.said).toEqual([]);
    expect(start.isEnded).toBe(true);
    expect(start.logs).toEqual([
      {
        context: "Error while executing Jump block",
        description,
        details: JSON.stringify({ ...details, jumpBlockId: "j" }),
      },
    ]);
  });

  test("Return continues at the block after the jump", () => {
    const groups = {
      g1: [jumpTo({ groupId: "g2" }), bubble("b1", "back")],
      g2: [bubble("b2", "there"), { id: "r", type: "Return" }, bubble("b3", "never")],
    };
    const { start } = chatWith({ groups });
    expect(start.said).toEqual(["there", "back"]);
    expect(start.visitedEdgeIds).toEqual(["virtual-g2", "virtual-g1-b1"]);
  });

  test("Return continues at the jump's own edge if no block follows the jump", () => {
    const groups = {
      g1: [jumpTo({ groupId: "g2" }, { outgoingEdgeId: "e1" })],
      g2: [{ id: "r", type: "Return" }, bubble("b2", "never")],
      g3: [bubble("b3", "through the edge")],
    };
    const { start } = chatWith({ groups, edges: { e1: "g3" } });
    expect(start.said).toEqual(["through the edge"]);
  });

  test("Return continues in its group if neither a block nor an edge follows the jump", () => {
    const groups = { g1: [jumpTo({ groupId: "g2" })], g2: [{ id: "r", type: "Return" }, bubble("b2", "on")] };
    expect(chatWith({ groups }).start.said).toEqual(["on"]);
  });

  test("Return without a jump continues in its group", () => {
    expect(chatWith({ groups: { g1: [{ id: "r", type: "Return" }, bubble("b1", "on")] } }).start.said).toEqual(["on"]);
  });

  test("a jump's return point is used only once", () => {
    const groups = {
      g1: [jumpTo({ groupId: "g2" }), { id: "r1", type: "Return" }, bubble("b1", "on")],
      g2: [{ id: "r2", type: "Return" }],
    };
    expect(chatWith({ groups }).start.said).toEqual(["on"]);
  });

  test("a nested jump replaces the return point", () => {
    const groups = {
      g1: [jumpTo({ groupId: "g2" }), bubble("b1", "first return")],
      g2: [
        { id: "j2", type: "Jump", options: { groupId: "g3" } },
        bubble("b2", "second return"),
        { id: "r2", type: "Return" },
        bubble("b4", "end"),
      ],
      g3: [{ id: "r3", type: "Return" }],
    };
    expect(chatWith({ groups }).start.said).toEqual(["second return", "end"]);
  });

  test("the return point is preserved across an input", () => {
    const groups = {
      g1: [jumpTo({ groupId: "g2" }), bubble("b1", "back")],
      g2: [question("q"), { id: "r", type: "Return" }],
    };
    const chat = chatWith({ groups });
    expect(chat.start.asks).toBe("q");
    expect(chat.say("hi").said).toEqual(["back"]);
  });
});
