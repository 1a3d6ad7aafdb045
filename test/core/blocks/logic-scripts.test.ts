import { describe, expect, test } from "bun:test";
import type { Effect, Report } from "../../../src/core/interpreter/program/effect.ts";
import { bubble, type ChatOptions, chatWith, type Turn } from "./logic-flow.ts";

const variables = { A: "old", B: "kept", N: "5", List: ["a", null], Zip: "0123" };

/** Runs the step of a `Code` block on the server. */
function runHere(content: string, chatOptions: ChatOptions = {}): Turn {
  const script = { id: "b1", type: "Code", options: { content, isExecutedOnClient: false } };
  return chatWith({ groups: { g1: [script, bubble("b2", "on")] }, variables }, chatOptions).start;
}

describe("code on the server", () => {
  test("server code sets variables by their names, and sends nothing to the client", () => {
    const turn = runHere('setVariable("A", {{N}} + 1); setVariable("B", [1, "x", null])');
    expect(turn.valueOf("A")).toBe("6");
    expect(turn.valueOf("B")).toEqual(["1", "x", null]);
    expect(turn.actions).toEqual([]);
    expect(turn.said).toEqual(["on"]);
  });

  test.each([
    ['setVariable("A", 1); setVariable("A", 2)', "2"],
    ['setVariable("A", null)', null],
    ['setVariable("A", "")', null],
    ['setVariable("A", { a: 1 })', '{"a":1}'],
    ['setVariable("A", {{Zip}} + "!")', "0123!"],
    ['setVariable("A", {{List}}.length)', "2"],
    ['setVariable("Nobody", 1); setVariable("A", "yes")', "yes"],
    ['await Promise.resolve(); setVariable("A", "later")', "later"],
    ['setVariable("A", 1); return "ignored"', "1"],
    ['setVariable("a", 1)', "old"],
    ["1 + 1", "old"],
  ])("after the code %s the variable is %j", (content, value) => {
    const turn = runHere(content);
    expect(turn.valueOf("A")).toEqual(value);
    expect(turn.logs).toEqual([]);
  });

  test("a script that throws writes nothing, and the log contains the reason", () => {
    const turn = runHere('setVariable("A", "x"); throw new Error("no luck")');
    expect(turn.valueOf("A")).toBe("old");
    const forAuthors = 'Code b1 in "g1", line 1';
    expect(turn.logs).toEqual([
      { context: "While executing function", description: "[undefined] no luck", forAuthors },
    ]);
    expect(turn.said).toEqual(["on"]);
  });

  test("a syntax error in code is logged, and the flow continues", () => {
    const turn = runHere("const = 1");
    expect(turn.logs).toHaveLength(1);
    expect(turn.logs[0]?.context).toBe("While executing function");
    expect(turn.said).toEqual(["on"]);
  });

  test("the flow follows the edge of a Code block", () => {
    const script = {
      id: "b1",
      type: "Code",
      options: { content: "1", isExecutedOnClient: false },
      outgoingEdgeId: "e1",
    };
    const { start } = chatWith({
      groups: { g1: [script, bubble("b2", "no")], g2: [bubble("b3", "yes")] },
      edges: { e1: "g2" },
    });
    expect(start.said).toEqual(["yes"]);
  });
});

describe("code with network calls", () => {
  const answers =
    (...bodies: string[]) =>
    (): Report => ({ kind: "fetch", answer: { body: bodies.shift() ?? "too many" } });

  test("a fetch call becomes an effect, and returns the response body", () => {
    const content =
      'const body = await fetch("https://example.com/a?n=" + {{N}}, { headers: { "X-A": "1" } }); setVariable("A", JSON.parse(body).b)';
    const turn = runHere(content, { perform: answers('{"b":"found"}') });
    expect(turn.effects).toEqual([
      { kind: "fetch", url: "https://example.com/a?n=5", init: { headers: { "X-A": "1" } } },
    ]);
    expect(turn.valueOf("A")).toBe("found");
    expect(turn.said).toEqual(["on"]);
  });

  test("a loop of calls makes each call once, in order", () => {
    const content =
      'let all = ""; for (let i = 0; i < 3; i++) all += await fetch("https://example.com/" + i); setVariable("A", all)';
    const turn = runHere(content, { perform: answers("a", "b", "c") });
    expect(turn.effects.map((effect: Effect) => (effect.kind === "fetch" ? effect.url : ""))).toEqual([
      "https://example.com/0",
      "https://example.com/1",
      "https://example.com/2",
    ]);
    expect(turn.valueOf("A")).toBe("abc");
  });

  test("a message before a fetch call in code is sent only once", () => {
    const script = {
      id: "b1",
      type: "Code",
      options: { content: 'await fetch("https://example.com")', isExecutedOnClient: false },
    };
    const { start } = chatWith(
      { groups: { g1: [bubble("b0", "first"), script, bubble("b2", "then")] } },
      { perform: answers("x") },
    );
    expect(start.said).toEqual(["first", "then"]);
  });

  test("a refused call fails the script unless the script catches the error", () => {
    const refuse = (): Report => ({ kind: "refused", reason: "not here" });
    const failed = runHere('setVariable("A", await fetch("https://example.com"))', { perform: refuse });
    expect(failed.valueOf("A")).toBe("old");
    expect(failed.logs).toMatchObject([{ context: "While executing function", description: "[undefined] not here" }]);
    const caught = runHere('try { await fetch("https://example.com") } catch { setVariable("A", "caught") }', {
      perform: refuse,
    });
    expect(caught.valueOf("A")).toBe("caught");
  });
});
