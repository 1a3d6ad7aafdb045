import { describe, expect, test } from "bun:test";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { convertToLatest, startKindOf } from "../../../src/core/flow/convert.ts";

const start = { id: "s", type: "start", outgoingEdgeId: "e" };
const text = { id: "t", type: "text" };

describe("the start of a flow", () => {
  test("a flow with a start event and a start block starts at the event", () => {
    expect(startKindOf({ events: [{ id: "e", type: "start" }], groups: [{ id: "g", blocks: [start] }] })).toBe("event");
  });

  test("a flow without a start event starts at its start block", () => {
    expect(startKindOf({ events: [{ id: "e", type: "command" }], groups: [{ id: "g", blocks: [start] }] })).toBe(
      "block",
    );
  });

  test("a flow without a start event or a start block has no start", () => {
    expect(startKindOf({ events: null, groups: [{ id: "g" }] })).toBe("none");
  });
});

describe("a flow without a version", () => {
  test("a flow without a version has version 6", () => {
    expect(completeFlow({})).toEqual({
      version: "6",
      events: null,
      groups: [],
      edges: [],
      variables: [],
      theme: {},
      settings: {},
    });
  });

  test("a flow without a version has version 3 if it starts with a block", () => {
    expect(completeFlow({ groups: [{ id: "g", blocks: [start] }] }).version).toBe("3");
  });
});

describe("conversion to the latest version", () => {
  test("a conversion does not change a flow of version 6 or 6.1", () => {
    const flow = completeFlow({ version: "6", events: [{ id: "e", type: "start" }] });
    expect(convertToLatest(flow)).toBe(flow);
    expect(convertToLatest({ ...flow, version: "6.1" })?.version).toBe("6.1");
    expect(convertToLatest({ ...flow, events: [] })?.events).toEqual([]);
  });

  test("a conversion of a flow with a start event changes only its version", () => {
    const flow = completeFlow({
      version: "3",
      events: [{ id: "e", type: "start" }],
      groups: [{ id: "empty", blocks: [] }],
    });
    expect(convertToLatest(flow)).toEqual({ ...flow, version: "6.1" });
  });

  test("a conversion replaces the start block with an event", async () => {
    const stored = completeFlow(
      readFlowParts(await Bun.file(`${import.meta.dir}/../../flows/legacy.json`).json(), "bot"),
    );
    const before = structuredClone(stored);

    const flow = convertToLatest(stored);

    expect(stored).toEqual(before);
    expect(flow?.version).toBe("6.1");
    expect(flow?.events).toEqual([
      { id: "l-start", type: "start", graphCoordinates: { x: 10, y: 20 }, outgoingEdgeId: "l-e1" },
    ]);
    expect(flow?.groups.map((group) => group.id)).toEqual(["l-ask", "l-row"]);
    expect(flow?.edges).toEqual([
      { id: "l-e1", from: { eventId: "l-start" }, to: { groupId: "l-ask" } },
      { id: "l-e2", from: { blockId: "l-in", itemId: "l-i1" }, to: { groupId: "l-row" } },
    ]);
    const [upload, sheet, request]: readonly unknown[] = flow?.groups[1]?.blocks ?? [];
    expect(upload).toEqual({ id: "l-up", type: "file input", options: { sizeLimit: 5, variableId: "l-v" } });
    expect(sheet).toMatchObject({
      options: {
        filter: { comparisons: [{ id: "l-cell", column: "Film", comparisonOperator: "Equal to", value: "{{Film}}" }] },
        referenceCell: { id: "l-cell", column: "Film", value: "{{Film}}" },
      },
    });
    expect(request).toMatchObject({ webhookId: "hook-1", options: { webhook: { url: "https://cinema.example.com" } } });
  });

  test("a conversion replaces the request id of version 3 with a request", () => {
    const requests = [
      { id: "a", type: "Webhook", webhookId: "w" },
      { id: "b", type: "Zapier", webhookId: null, options: { timeout: 3 } },
      { id: "c", type: "Make.com", webhookId: "w", options: { webhook: { url: "https://example.com" } } },
      { id: "d", type: "Pabbly" },
    ];
    const groups = [{ id: "g", blocks: [start, ...requests] }];
    const blocks: unknown = convertToLatest(completeFlow({ version: "3", groups }))?.groups[0]?.blocks;
    expect(blocks).toEqual([
      { id: "a", type: "Webhook", options: { webhook: { id: "w", method: "POST" } } },
      { id: "b", type: "Zapier", options: { timeout: 3, webhook: { id: "", method: "POST" } } },
      { id: "c", type: "Make.com", options: { webhook: { url: "https://example.com" } } },
      { id: "d", type: "Pabbly" },
    ]);
  });

  test("a conversion drops edges without a target in version 4", () => {
    const edges = [
      { id: "e", from: { blockId: "s" }, to: { groupId: "h" } },
      { id: "half", from: { blockId: "t" } },
    ];
    const groups = [
      { id: "g", blocks: [start] },
      { id: "h", blocks: [text] },
    ];
    const convert = (version: "4" | "5") =>
      convertToLatest(completeFlow({ version, groups, edges }))?.edges.map((edge) => edge.id);
    expect(convert("4")).toEqual(["e"]);
    expect(convert("5")).toEqual(["e", "half"]);
  });

  test("a conversion keeps other events and a start without a target", () => {
    const groups = [{ id: "g", blocks: [{ id: "s", type: "start" }, text] }];
    const events = [{ id: "c", type: "command" }];
    const flow = convertToLatest(completeFlow({ version: "6", events, groups }));
    expect(flow?.events).toEqual([{ id: "g", type: "start", graphCoordinates: { x: 0, y: 0 } }, ...events]);
    expect(flow?.groups).toEqual([{ id: "g", blocks: [text] }]);
  });

  test("a conversion is refused for an old flow without a start", () => {
    expect(convertToLatest(completeFlow({ version: "5", groups: [{ id: "g", blocks: [text] }] }))).toBeUndefined();
  });
});
