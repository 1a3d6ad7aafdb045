import { describe, expect, test } from "bun:test";
import { blocks } from "../../../src/core/blocks/index.ts";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { unservedBlocks } from "../../../src/core/flow/known-keys.ts";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";

const names = ["lead-generation", "nps", "customer-support", "quiz", "legacy"];

describe("a written flow", () => {
  test.each(names)("a written flow keeps every key of the flow %s", async (name) => {
    const { version, events, groups, edges, variables, theme, settings } = await readFlow(name);
    const parts = readFlowParts({ version, events, groups, edges, variables, theme, settings }, "typebot");
    expect(JSON.stringify(parts)).toBe(JSON.stringify({ version, events, groups, edges, variables, theme, settings }));
  });

  test("a flow can be written with only one part or with no parts", () => {
    expect(readFlowParts({ theme: { customCss: "a {}" } }, "bot")).toEqual({ theme: { customCss: "a {}" } });
    expect(readFlowParts({}, "bot")).toEqual({});
  });

  test("a written flow keeps unknown keys, unknown values and unknown block types", () => {
    const groups = [
      {
        id: "g",
        color: "red",
        blocks: [
          { id: "a", type: "hologram", options: 5, items: "none" },
          { id: "b", type: "text", content: { richText: [null, "x", 7, {}], mood: { deep: [1] } } },
          { id: "c", type: "Set variable", options: { type: "Horoscope", isCode: null } },
        ],
      },
    ];
    expect(readFlowParts({ groups }, "bot").groups).toEqual(groups);
  });

  test("a written flow keeps null for known keys", () => {
    const groups = [
      {
        id: "g",
        title: null,
        graphCoordinates: null,
        blocks: [
          { id: "b", type: "text input", outgoingEdgeId: null, options: { labels: { button: null }, isLong: null } },
        ],
      },
    ];
    const theme = { general: null, chat: { inputs: { border: null } } };
    expect(readFlowParts({ groups, theme, events: null, version: null }, "bot")).toEqual({
      groups,
      theme,
      events: null,
      version: null,
    });
  });

  test("a written flow may have a number or a text in a number option", () => {
    const options = { min: 1, max: "{{Most}}", step: "0,5" };
    const parts = readFlowParts({ groups: [group({ id: "b", type: "number input", options })] }, "bot");
    expect(parts.groups?.[0]?.blocks?.[0]).toMatchObject({ options });
  });

  test("a written flow keeps items with equal ids, which real flows contain", () => {
    const items = [{ id: "i", content: "A" }, { id: "i" }];
    const groups = [
      group({ id: "b", type: "choice input", items }),
      { id: "h", blocks: [{ id: "c", type: "cards", items }] },
    ];
    expect(readFlowParts({ groups }, "bot").groups).toMatchObject(groups);
  });

  test("a written flow keeps edges without a target", () => {
    const edges = [{ id: "e", from: { blockId: "gone" }, to: { groupId: "gone" } }, { id: "f" }];
    expect(readFlowParts({ edges }, "bot").edges).toEqual(edges);
  });

  test("a written flow keeps names such as __proto__ as ordinary names", () => {
    const settings: unknown = JSON.parse('{"__proto__": {"a": 1}, "messenger": {"isEnabled": true}}');
    const parts = readFlowParts({ settings, variables: [{ id: "__proto__", name: "constructor" }] }, "bot");
    expect(JSON.stringify(parts.settings)).toBe('{"__proto__":{"a":1},"whatsApp":{"isEnabled":true}}');
    expect(parts.variables).toEqual([{ id: "__proto__", name: "constructor" }]);
  });

  test.each(["3", "4", "5", "6", "6.1"])("a written flow may have version %s", (version) => {
    expect(readFlowParts({ version }, "bot")).toEqual({ version });
  });
});

describe("a refused flow", () => {
  const refused: [string, unknown, string, string][] = [
    ["an unknown version", { version: "7" }, "bot.version", 'must be "3" or "4" or "5" or "6" or "6.1" or null'],
    ["a version that is a number", { version: 6 }, "bot.version", "must be"],
    ["groups that are not a list", { groups: {} }, "bot.groups", "must be an array"],
    ["groups that are null", { groups: null }, "bot.groups", "must be an array"],
    ["a theme that is a list", { theme: [] }, "bot.theme", "must be an object"],
    ["a group without id", { groups: [{ title: "A" }] }, "bot.groups[0].id", "must be a string"],
    [
      "a group's title of another type",
      { groups: [{ id: "g", title: 1 }] },
      "bot.groups[0].title",
      "must be a string or null",
    ],
    [
      "coordinates that are texts",
      { groups: [{ id: "g", graphCoordinates: { x: "1", y: 0 } }] },
      "bot.groups[0].graphCoordinates.x",
      "must be a number",
    ],
    ["a block without type", { groups: [group({ id: "b" })] }, "bot.groups[0].blocks[0].type", "must be a string"],
    [
      "a block's edge of another type",
      { groups: [group({ id: "b", type: "text", outgoingEdgeId: 1 })] },
      "bot.groups[0].blocks[0].outgoingEdgeId",
      "must be a string or null",
    ],
    ["an edge without id", { edges: [{ to: { groupId: "g" } }] }, "bot.edges[0].id", "must be a string"],
    [
      "an edge to a number",
      { edges: [{ id: "e", to: { groupId: 4 } }] },
      "bot.edges[0].to.groupId",
      "must be a string or null",
    ],
    ["an event without id", { events: [{ type: "start" }] }, "bot.events[0].id", "must be a string"],
    [
      "an event's option of another type",
      { events: [{ id: "e", type: "command", options: { command: 1 } }] },
      "bot.events[0].options.command",
      "must be a string",
    ],
    ["a variable without name", { variables: [{ id: "v" }] }, "bot.variables[0].name", "must be a string"],
    [
      "a variable's value of another type",
      { variables: [{ id: "v", name: "V", value: [1] }] },
      "bot.variables[0].value[0]",
      "must be a string or null",
    ],
    ["two groups with one id", { groups: [{ id: "g" }, { id: "g" }] }, "bot.groups[1].id", "must not occur twice"],
    [
      "two blocks with one id",
      { groups: [group({ id: "b", type: "x" }), { id: "h", blocks: [{ id: "b", type: "x" }] }] },
      "bot.groups[1].blocks[0].id",
      "must not occur twice",
    ],
    ["two edges with one id", { edges: [{ id: "e" }, { id: "e" }] }, "bot.edges[1].id", "must not occur twice"],
    ["two events with one id", { events: [{ id: "e" }, { id: "e" }] }, "bot.events[1].id", "must not occur twice"],
    [
      "two variables with one id",
      {
        variables: [
          { id: "v", name: "A" },
          { id: "v", name: "B" },
        ],
      },
      "bot.variables[1].id",
      "must not occur twice",
    ],
    [
      "an item without id",
      { groups: [group({ id: "b", type: "Condition", items: [{ content: {} }] })] },
      "bot.groups[0].blocks[0].items[0].id",
      "must be a string",
    ],
    [
      "a theme's thickness of another type",
      { theme: { general: { progressBar: { thickness: "4" } } } },
      "bot.theme.general.progressBar.thickness",
      "must be a number",
    ],
    [
      "a font's family of another type",
      { theme: { general: { font: { type: "Google", family: 5 } } } },
      "bot.theme.general.font.family",
      "must be a string",
    ],
    [
      "a font that is a number",
      { theme: { general: { font: 5 } } },
      "bot.theme.general.font",
      "must be a string or an object",
    ],
    [
      "an origin of another type",
      { settings: { security: { allowedOrigins: [1] } } },
      "bot.settings.security.allowedOrigins[0]",
      "must be a string",
    ],
    [
      "a messenger section of another type",
      { settings: { messenger: [] } },
      "bot.settings.messenger",
      "must be an object",
    ],
    [
      "an infinite number",
      { theme: { x: Number.POSITIVE_INFINITY } },
      "bot",
      "must not contain a number beyond 1.8e308",
    ],
  ];

  test.each(refused)("a flow is refused for %s", (_what, value, path, message) => {
    const [issue] = issuesOf(value);
    expect(issue?.path).toBe(path);
    expect(issue?.message).toStartWith(message);
  });

  test("a flow with an option of the wrong type is refused", () => {
    const block = { id: "b", type: "text input", options: { labels: { button: 5 } } };
    const groups = [{ id: "g" }, { id: "h" }, { id: "i", blocks: [block] }];
    expect(issuesOf({ groups })).toEqual([
      { path: "bot.groups[2].blocks[0].options.labels.button", message: "must be a string" },
    ]);
  });

  test("the path of a reported problem begins with the request's key for the bot", () => {
    expect(issuesOf({ groups: 1 }, "typebot")[0]?.path).toBe("typebot.groups");
  });

  test("a flow with more groups or blocks than the limits is refused", () => {
    const groups = Array.from({ length: limits.flow.groups + 1 }, (_, index) => ({ id: `g${index}` }));
    const blocks = Array.from({ length: limits.flow.blocks + 1 }, (_, index) => ({ id: `b${index}`, type: "text" }));
    expect(issuesOf({ groups })).toEqual([{ path: "bot.groups", message: "must be at most 2000 groups" }]);
    expect(issuesOf({ groups: [{ id: "g", blocks }] })).toEqual([
      { path: "bot.groups", message: "must contain at most 10000 blocks" },
    ]);
    expect(readFlowParts({ groups: groups.slice(1) }, "bot").groups).toHaveLength(limits.flow.groups);
    expect(readFlowParts({ groups: [{ id: "g", blocks: blocks.slice(1) }] }, "bot").groups).toHaveLength(1);
  });

  test("the number of reported problems of a refused flow is limited", () => {
    const blocks = Array.from({ length: 500 }, (_, index) => ({
      id: `b${index}`,
      type: "Redirect",
      options: { url: index },
    }));
    expect(issuesOf({ groups: [{ id: "g", blocks }] })).toHaveLength(limits.request.issues);
  });
});

describe("a very large flow", () => {
  /** Creates parts whose ids count how often they are read. */
  const counted = (count: number, make: (index: number) => object = () => ({})) => {
    let reads = 0;
    const things = Array.from({ length: count }, (_, index) =>
      Object.defineProperty(make(index), "id", {
        enumerable: true,
        get() {
          reads += 1;
          return `t${index}`;
        },
      }),
    );
    return { things, reads: () => reads };
  };

  test("a flow with too many groups is refused before its groups are read", () => {
    const { things, reads } = counted(limits.flow.groups + 1);
    expect(issuesOf({ groups: things, edges: Array(1_000_000).fill(0) })).toHaveLength(1);
    expect(reads()).toBe(0);
  });

  test("the check of a large flow stops at the limit of reported problems", () => {
    const edges = counted(100_000);
    const zeros = Array(1_000_000).fill(0);
    expect(issuesOf({ events: zeros, groups: [{ id: "g" }], edges: edges.things, variables: zeros })).toHaveLength(
      limits.request.issues,
    );
    const items = counted(100_000, () => ({ outgoingEdgeId: 5 }));
    const choice = { id: "b", type: "choice input", items: items.things };
    expect(issuesOf({ groups: [{ id: "g", blocks: [choice] }] })).toHaveLength(limits.request.issues);
    expect(items.reads()).toBeLessThan(10 * limits.request.issues + items.things.length);
    const twice = Array.from({ length: 100_000 }, () => ({ id: "e" }));
    expect(issuesOf({ edges: twice })).toHaveLength(limits.request.issues);
  });

  test("the check reads a list with an invalid last entry at most three times", () => {
    const { things, reads } = counted(50_000);
    expect(issuesOf({ edges: [...things, 0] })).toEqual([{ path: "bot.edges[50000]", message: "must be an object" }]);
    // Each id is read by the search for numbers that cannot be stored, by the check of the whole flow, and by the check
    // of each part.
    expect(reads()).toBeLessThanOrEqual(3 * things.length);
  });
});

test("no block type is both supported and listed as unsupported", () => {
  expect([...blocks.keys()].filter((type) => unservedBlocks.has(type))).toEqual([]);
  // The language has 57 types in addition to `start`, and this product adds further types.
  expect(blocks.size + unservedBlocks.size).toBeGreaterThanOrEqual(57 + 1);
});

test("a very large flow with the maximum number of blocks is read completely", () => {
  const text = "word ".repeat(100);
  const blocks = Array.from({ length: limits.flow.blocks }, (_, index) => ({
    id: `b${index}`,
    type: "choice input",
    items: [{ id: `i${index}`, content: text, value: text }],
  }));
  expect(readFlowParts({ groups: [{ id: "g", blocks }] }, "bot").groups?.[0]?.blocks).toHaveLength(limits.flow.blocks);
});

function group(block: unknown): unknown {
  return { id: "g", blocks: [block] };
}

function issuesOf(value: unknown, dialect: "bot" | "typebot" = "bot"): readonly { path: string; message: string }[] {
  try {
    readFlowParts(value, dialect);
  } catch (error) {
    if (error instanceof AppError && Array.isArray(error.data?.["issues"])) return error.data["issues"];
    throw error;
  }
  return [];
}

async function readFlow(name: string): Promise<Record<string, unknown>> {
  return Bun.file(`${import.meta.dir}/../../flows/${name}.json`).json();
}
