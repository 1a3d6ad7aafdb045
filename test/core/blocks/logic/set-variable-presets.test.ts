import { describe, expect, test } from "bun:test";
import { aNow, bubble, type ChatOptions, chatWith, type Turn } from "../logic-flow.ts";

type Variables = Readonly<Record<string, unknown>>;

/** Runs the step of a `Set variable` block for the variable A. */
function set(options: object, variables: Variables = {}, chatOptions: ChatOptions = {}): Turn {
  const block = { id: "b1", type: "Set variable", options: { variableId: "vA", ...options } };
  return chatWith({ groups: { g1: [block, bubble("b2", "on")] }, variables: { A: null, ...variables } }, chatOptions)
    .start;
}

describe("appended values", () => {
  test("appending to a list of the maximum length leaves it unchanged", () => {
    const full = Array.from({ length: 10_000 }, () => "x");
    const turn = set({ type: "Append value(s)", item: "y" }, { A: full });
    expect(turn.valueOf("A")).toHaveLength(10_000);
    expect(turn.logs).toHaveLength(1);
  });
});

describe("presets of times", () => {
  const at = (type: string, timeZone?: string, now = aNow, variables: Variables = {}) =>
    set({ type, timeZone }, variables, { now }).valueOf("A");

  test.each([
    ["Now", "", "2026-11-20T09:38:30.123Z"],
    ["Now", "America/New_York", "2026-11-20T04:38:30-05:00"],
    ["Now", "Pacific/Auckland", "2026-11-20T22:38:30+13:00"],
    ["Now", "America/St_Johns", "2026-11-20T06:08:30-03:30"],
    ["Now", "Asia/Kathmandu", "2026-11-20T15:23:30+05:45"],
    ["Now", "Etc/UTC", "2026-11-20T09:38:30Z"],
    ["Now", "Europe/London", "2026-11-20T09:38:30Z"],
    ["Tomorrow", "Pacific/Kiritimati", "2026-11-21T23:38:30+14:00"],
  ])("the preset %s in the zone %p is %s", (type, zone, expected) => {
    expect(at(type, zone)).toBe(expected);
  });

  test("the time zone of a preset can come from a variable", () => {
    expect(at("Now", "{{Zone}}", aNow, { Zone: "Europe/Paris" })).toBe("2026-11-20T10:38:30+01:00");
    expect(at("Now", "{{Zone}}", aNow, { Zone: null })).toBe("2026-11-20T09:38:30.123Z");
  });

  test("the preset Now applies summer time in July", () => {
    expect(at("Now", "Europe/Paris", Date.UTC(2026, 6, 1, 22, 30))).toBe("2026-07-02T00:30:00+02:00");
  });

  test("the preset Now writes midnight as hour 00", () => {
    expect(at("Now", "UTC", Date.UTC(2026, 0, 1))).toBe("2026-01-01T00:00:00Z");
  });

  test("Tomorrow is 24 hours later, even when the clocks change", () => {
    const beforeChange = Date.UTC(2026, 9, 24, 12);
    expect(at("Now", "Europe/Paris", beforeChange)).toBe("2026-10-24T14:00:00+02:00");
    expect(at("Tomorrow", "Europe/Paris", beforeChange)).toBe("2026-10-25T13:00:00+01:00");
  });

  test("an unknown time zone is logged, and UTC is used instead", () => {
    const turn = set({ type: "Now", timeZone: "Mars/Olympus" });
    expect(turn.valueOf("A")).toBe("2026-11-20T09:38:30Z");
    expect(turn.logs).toEqual([
      { context: "Set variable", description: "The time zone is unknown, so UTC is used", details: "Mars/Olympus" },
    ]);
    expect(turn.said).toEqual(["on"]);
  });
});

describe("presets of ids", () => {
  test("the result id of a preview is a new random id in each block", () => {
    const block = (id: string, variableId: string) => ({
      id,
      type: "Set variable",
      options: { variableId, type: "Result ID" },
    });
    const { start } = chatWith({
      groups: { g1: [block("b1", "vA"), block("b2", "vB")] },
      variables: { A: null, B: null },
    });
    expect(start.valueOf("A")).toMatch(/^[a-z][a-z0-9]{23}$/);
    expect(start.valueOf("B")).toMatch(/^[a-z][a-z0-9]{23}$/);
    expect(start.valueOf("A")).not.toBe(start.valueOf("B"));
  });

  test("a random id has 24 lowercase letters and digits and depends on the seed", () => {
    const once = set({ type: "Random ID" }).valueOf("A");
    expect(once).toMatch(/^[a-z][a-z0-9]{23}$/);
    expect(set({ type: "Random ID" }).valueOf("A")).toBe(once);
    expect(set({ type: "Random ID" }, {}, { seed: "fedcba9876543210fedcba9876543210" }).valueOf("A")).not.toBe(once);
  });
});

describe("a Set variable block", () => {
  test("an unknown preset evaluates the block's expression", () => {
    expect(set({ type: "Horoscope", expressionToEvaluate: "1 + 1" }).valueOf("A")).toBe("2");
    expect(set({ type: "Horoscope" }, { A: "old" }).valueOf("A")).toBeNull();
  });

  test("a block without a variable is skipped", () => {
    const turn = set({ variableId: undefined, type: "Environment name" }, { A: "old" });
    expect(turn.valueOf("A")).toBe("old");
    expect(turn.said).toEqual(["on"]);
  });

  test("a block whose variable does not exist is skipped", () => {
    const turn = set({ variableId: "vGone", type: "Environment name" });
    expect(turn.state.queue[0]?.written).toEqual([]);
    expect(turn.said).toEqual(["on"]);
  });

  test("a variable that is written again moves to the end of the written variables", () => {
    const blocks = ["vA", "vB", "vA"].map((variableId, index) => ({
      id: `b${index}`,
      type: "Set variable",
      options: { variableId, type: "Environment name" },
    }));
    const { start } = chatWith({ groups: { g1: blocks }, variables: { A: null, B: null } });
    expect(start.state.queue[0]?.written.map(([id]) => id)).toEqual(["vB", "vA"]);
  });

  test("the flow follows the edge of a Set variable block", () => {
    const block = {
      id: "b1",
      type: "Set variable",
      options: { variableId: "vA", type: "Empty" },
      outgoingEdgeId: "e1",
    };
    const { start } = chatWith({
      groups: { g1: [block, bubble("b2", "no")], g2: [bubble("b3", "yes")] },
      edges: { e1: "g2" },
      variables: { A: null },
    });
    expect(start.said).toEqual(["yes"]);
  });
});

describe("the transcript preset", () => {
  const transcript = { id: "b1", type: "Set variable", options: { variableId: "vA", type: "Transcript" } };
  const groups = { g1: [bubble("b0", "Hello"), transcript, bubble("b2", "{{A}}")] };

  test("the transcript preset stores a transcript in a session variable", () => {
    const { start } = chatWith(
      { groups, variables: { A: null } },
      { perform: () => ({ kind: "transcript", text: 'Assistant: "Hello"' }) },
    );
    expect(start.effects).toEqual([
      {
        kind: "transcript",
        visitor: null,
        messages: [{ id: "b0", type: "text", content: { type: "markdown", markdown: "Hello" } }],
      },
    ]);
    expect(start.valueOf("A")).toBe('Assistant: "Hello"');
    expect(start.sessionVariableIds).toEqual(["vA"]);
    expect(start.said[0]).toBe("Hello");
  });

  test("a refused transcript leaves the variable unchanged", () => {
    const { start } = chatWith(
      { groups, variables: { A: "old" } },
      { perform: () => ({ kind: "refused", reason: "not here" }) },
    );
    expect(start.valueOf("A")).toBe("old");
    expect(start.logs).toEqual([
      { context: "Set variable", description: "The transcript could not be read", details: "not here" },
    ]);
  });
});
