import { describe, expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { textAt } from "../../../../src/core/interpreter/flow.ts";
import type { Report } from "../../../../src/core/interpreter/program/effect.ts";
import { limits } from "../../../../src/limits/index.ts";
import { bubble, type ChatOptions, chatWith, question, type Turn } from "../logic-flow.ts";

const variables = { A: "old", B: "kept", N: "5", Name: "John", List: ["a", "b", null], Zip: "0123", Phone: "+336" };

function custom(expressionToEvaluate: string | undefined, more: object = {}, chatOptions: ChatOptions = {}): Turn {
  const options = { variableId: "vA", expressionToEvaluate, ...more };
  const groups = { g1: [{ id: "b1", type: "Set variable", options }, bubble("b2", "on")] };
  return chatWith({ groups, variables }, chatOptions).start;
}

test("only a custom Set variable block has a computed variable", () => {
  const computed = (options?: object, type = "Set variable") =>
    blocks.get(type)?.computedVariable?.({ id: "b1", type, ...(options && { options }) });

  expect(computed({ variableId: "vA", expressionToEvaluate: "1 + 1" })).toBe("vA");
  expect(computed({ type: "Custom", variableId: "vA" })).toBe("vA");
  expect(computed({ type: "Random ID", variableId: "vA" })).toBeUndefined();
  expect(computed({})).toBeUndefined();
  expect(computed()).toBeUndefined();
  expect([...blocks].flatMap(([type, block]) => (block.computedVariable ? [type] : []))).toEqual(["Set variable"]);
});

describe("a custom expression", () => {
  test("an expression is evaluated if the type is explicitly Custom", () => {
    expect(custom("{{N}} + 1", { type: "Custom" }).valueOf("A")).toBe("6");
  });

  const description = '{"context":"While executing function","description":"[undefined] foo is not defined"}';

  test("the text of failing code is stored and the failure is logged", () => {
    const turn = custom("foo.bar", { isCode: true, saveErrorInVariableId: "vB" });
    expect(turn.valueOf("A")).toBe("foo.bar");
    expect(turn.valueOf("B")).toBe(description);
    const forAuthors = 'Set variable b1 in "g1", line 1:\nfoo.bar';
    expect(turn.logs).toEqual([
      {
        ...{ context: "While evaluating set variable expression", description },
        ...{ forAuthors, textInsteadAt: "b1" },
      },
    ]);
  });

  test("text that fails to run as code is stored without a log entry", () => {
    const turn = custom("foo.bar", { isCode: false, saveErrorInVariableId: "vB" });
    expect(turn.valueOf("A")).toBe("foo.bar");
    expect(turn.valueOf("B")).toBe("kept");
    expect(turn.logs).toEqual([]);
  });

  test("failures are logged for a limited number of blocks per chat", () => {
    const most = limits.logs.textsInstead;
    const sets = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ id: `set ${from + index}`, type: "Set variable" },
        options: { variableId: "vA", expressionToEvaluate: "{{N}} + nothing" },
      }));
    const chat = chatWith({ groups: { g1: [...sets(0, most - 5), question("asks"), ...sets(most, 10)] }, variables });

    expect(chat.start.logs).toHaveLength(most - 5);
    expect(chat.say("on").logs).toHaveLength(5);
  });

  test("the error variable is unchanged if the code runs without an error", () => {
    expect(custom("1 + 1", { isCode: true, saveErrorInVariableId: "vB" }).valueOf("B")).toBe("kept");
  });

  test("code with an endless loop is stored as text, and its time-out is logged", () => {
    const turn = custom("while (true) {} return 1", { isCode: true });
    expect(turn.valueOf("A")).toBe("while (true) {} return 1");
    expect(turn.logs[0]?.description).toContain("Script execution timed out.");
  });
});

describe("a custom expression with fetch", () => {
  const answer = (body: string): Report => ({ kind: "fetch", answer: { body } });

  test("a fetch call runs outside the sandbox and returns the response body", () => {
    const perform = () => answer('{"a":1}');
    const turn = custom(
      'const body = await fetch("https://example.com/x", { method: "POST", body: "hi" }); return JSON.parse(body).a',
      {},
      { perform },
    );
    expect(turn.effects).toEqual([
      { kind: "fetch", url: "https://example.com/x", init: { method: "POST", body: "hi" } },
    ]);
    expect(turn.valueOf("A")).toBe("1");
    expect(turn.said).toEqual(["on"]);
  });

  test("several fetch calls of an expression are made once each, in order", () => {
    const bodies = ["first", "second"];
    const perform = () => answer(bodies.shift() ?? "too many");
    const code =
      'const a = await fetch("https://example.com/1"); const b = await fetch("https://example.com/" + a); return a + b';
    const turn = custom(code, {}, { perform });
    expect(turn.effects.map((effect) => "url" in effect && effect.url)).toEqual([
      "https://example.com/1",
      "https://example.com/first",
    ]);
    expect(turn.valueOf("A")).toBe("firstsecond");
  });

  test("random values stay the same when the script runs again after a call", () => {
    const urls: string[] = [];
    const perform = (effect: { kind: string; url?: string }) => {
      urls.push(effect.url ?? "");
      return answer("ok");
    };
    const code =
      'const id = Math.random(); await fetch("https://example.com/" + id); return "https://example.com/" + id';
    const turn = custom(code, {}, { perform });
    expect(turn.valueOf("A")).toBe(urls[0] ?? "");
  });

  test("a refused call rejects its promise", () => {
    const code = 'try { await fetch("https://example.com") } catch (error) { return "caught: " + error.message }';
    const turn = custom(code, {}, { perform: () => ({ kind: "refused", reason: "not here" }) });
    expect(turn.valueOf("A")).toBe("caught: not here");
  });

  test("a failed call rejects its promise, which fails the code", () => {
    const code = 'return await fetch("https://example.com")';
    const turn = custom(code, { isCode: true }, { perform: () => ({ kind: "fetch", answer: { error: "no route" } }) });
    expect(turn.valueOf("A")).toBe(code);
    expect(turn.logs[0]?.description).toContain("no route");
  });
});

describe("an expression that the client evaluates", () => {
  const inClient = (options: object) => {
    const groups = {
      g1: [{ id: "b1", type: "Set variable", options: { variableId: "vA", ...options } }, bubble("b2", "on")],
    };
    return chatWith({ groups, variables });
  };

  test("the client gets the expression and the flow waits", () => {
    const { start } = inClient({
      expressionToEvaluate: "{{N}} + 1",
      isExecutedOnClient: true,
      isCode: true,
      isUnsafe: false,
    });
    const scriptToExecute = { content: "vN + 1", args: [{ id: "vN", value: 5 }], isCode: true, isUnsafe: false };
    expect(start.actions).toEqual([
      { type: "setVariable", setVariable: { scriptToExecute }, expectsDedicatedReply: true },
    ]);
    expect(start.said).toEqual([]);
    expect(start.isEnded).toBe(false);
  });

  test("code that the client returns unevaluated is stored as text", () => {
    const textOf = (id: string) => {
      const set = { variableId: "vA", expressionToEvaluate: "Hello {{Name}}!", isExecutedOnClient: true };
      const groups = { g1: [{ id: "b1", type: "Set variable", options: set }, bubble("b2", "on")] };
      const chat = chatWith({ groups, variables, variableIds: { Name: id } });
      const content = textAt(chat.start.actions[0], "setVariable", "scriptToExecute", "content") ?? "";
      return [content, chat.say(content).valueOf("A")];
    };

    expect(textOf("01ky3m6a1vkrvwc3nde7pp4qvn")).toEqual(["Hello $_01ky3m6a1vkrvwc3nde7pp4qvn!", "Hello John!"]);
    expect(textOf("vName")).toEqual(["Hello vName!", "Hello vName!"]);
  });

  test("a number from the client counts as a result even if it equals the code", () => {
    const { start, say } = inClient({ expressionToEvaluate: "42", isExecutedOnClient: true, isCode: true });
    expect(textAt(start.actions[0], "setVariable", "scriptToExecute", "content")).toBe("42");
    const said = say("42");
    expect(said.logs).toEqual([]);
    expect(said.valueOf("A")).toBe("42");
  });

  test("an empty expression is not sent to the client", () => {
    const { start } = inClient({ isExecutedOnClient: true });
    expect(start.actions).toEqual([]);
    expect(start.valueOf("A")).toBeNull();
  });

  test("the preset Environment name is evaluated on the server", () => {
    const { start } = inClient({ type: "Environment name", isExecutedOnClient: true });
    expect(start.actions).toEqual([]);
    expect(start.valueOf("A")).toBe("web");
  });

  test("code for a missing variable is still sent to the client", () => {
    const { start } = inClient({ variableId: "vGone", expressionToEvaluate: "alert(1)", isExecutedOnClient: true });
    expect(start.actions).toHaveLength(1);
  });
});
