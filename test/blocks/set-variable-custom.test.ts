import { describe, expect, test } from "bun:test";
import type { Report } from "../../src/interpreter/effect.ts";
import { textAt } from "../../src/interpreter/flow.ts";
import { bubble, type ChatOptions, chatWith, type Turn } from "./logic-flow.ts";

const variables = { A: "old", B: "kept", N: "5", Name: "John", List: ["a", "b", null], Zip: "0123", Phone: "+336" };

function custom(expressionToEvaluate: string | undefined, more: object = {}, chatOptions: ChatOptions = {}): Turn {
  const options = { variableId: "vA", expressionToEvaluate, ...more };
  const groups = { g1: [{ id: "b1", type: "Set variable", options }, bubble("b2", "on")] };
  return chatWith({ groups, variables }, chatOptions).start;
}

describe("Custom", () => {
  test.each([
    ["{{N}} + 1", "6"],
    ["{{N}}", "5"],
    ["{{List}}", '["a","b",null]'],
    ["{{List}}.length", "3"],
    ["{{List}}.slice(0, 2)", ["a", "b"]],
    ["+33612345678", "33612345678"],
    ["2024-01-02", "2021"],
    ["0123", "0123"],
    ["1000", "1000"],
    ["0x10", "0x10"],
    ["0.5", "0.5"],
    ["1,2,3", "3"],
    ['{"a":1}', '{"a":1}'],
    ["\nfoo", null],
    ["const a = 1\na", "const a = 1\na"],
    ["const a = 1; return a + 1", "2"],
    ["I will return tomorrow", "I will return tomorrow"],
    [`\`\${{{Name}}}/path\``, `\`\${John}/path\``],
    ["{{Nope}} + 1", "1"],
    ["typeof setTimeout", "undefined"],
    ["typeof fetch", "function"],
    ["new Date(0)", '"1970-01-01T00:00:00.000Z"'],
    ["true", "true"],
    ["null", null],
    ["undefined", null],
    ["5%", "5%"],
    ["50/50", "1"],
    ["A/B", "A/B"],
    ['"{{Name}}"', "vName"],
    ["Hello {{Name}}", "Hello John"],
    ["{{Zip}} + 1", "01231"],
    ["await Promise.resolve({{N}} * 2)", "10"],
    ["setVariable('B','z'); return 1", "1"],
    ["", null],
    [undefined, null],
  ])("%j gives %j", (expression, value) => {
    const turn = custom(expression);
    expect(turn.valueOf("A")).toEqual(value);
    expect(turn.valueOf("B")).toBe("kept");
    expect(turn.logs).toEqual([]);
    expect(turn.said).toEqual(["on"]);
  });

  test("the type may be written out", () => {
    expect(custom("{{N}} + 1", { type: "Custom" }).valueOf("A")).toBe("6");
  });

  const description = '{"context":"While executing function","description":"[undefined] foo is not defined"}';

  test("where code fails, its text is kept, the failure logged and written to the error variable", () => {
    const turn = custom("foo.bar", { isCode: true, saveErrorInVariableId: "vB" });
    expect(turn.valueOf("A")).toBe("foo.bar");
    expect(turn.valueOf("B")).toBe(description);
    expect(turn.logs).toEqual([{ context: "While evaluating set variable expression", description }]);
  });

  test("where a text fails as code, nobody is told", () => {
    const turn = custom("foo.bar", { isCode: false, saveErrorInVariableId: "vB" });
    expect(turn.valueOf("A")).toBe("foo.bar");
    expect(turn.valueOf("B")).toBe("kept");
    expect(turn.logs).toEqual([]);
  });

  test("the error variable is left alone where code runs", () => {
    expect(custom("1 + 1", { isCode: true, saveErrorInVariableId: "vB" }).valueOf("B")).toBe("kept");
  });

  test("an endless loop fails like other code", () => {
    const turn = custom("while (true) {} return 1", { isCode: true });
    expect(turn.valueOf("A")).toBe("while (true) {} return 1");
    expect(turn.logs[0]?.description).toContain("Script execution timed out.");
  });
});

describe("Custom with fetch", () => {
  const answer = (body: string): Report => ({ kind: "fetch", answer: { body } });

  test("the call is made outside, and the script gets the body", () => {
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

  test("several calls are made in order, each once", () => {
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

  test("chance is the same when the script runs again after a call", () => {
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

  test("a call that is refused is a rejected promise", () => {
    const code = 'try { await fetch("https://example.com") } catch (error) { return "caught: " + error.message }';
    const turn = custom(code, {}, { perform: () => ({ kind: "refused", reason: "not here" }) });
    expect(turn.valueOf("A")).toBe("caught: not here");
  });

  test("a call that fails is a rejected promise, which fails the code", () => {
    const code = 'return await fetch("https://example.com")';
    const turn = custom(code, { isCode: true }, { perform: () => ({ kind: "fetch", answer: { error: "no route" } }) });
    expect(turn.valueOf("A")).toBe(code);
    expect(turn.logs[0]?.description).toContain("no route");
  });
});

describe("evaluated in the client", () => {
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

  test.each([
    ['["a",2]', ["a", "2"]],
    ["", null],
    [null, "old"],
    ["0123", "0123"],
    ["6", "6"],
    ["text", "text"],
    ["null", null],
    ["true", "true"],
    ['{"a":[1]}', '{"a":[1]}'],
    ['"quoted"', "quoted"],
    [" 1.50 ", "1.5"],
  ])("the reply %j makes it %j", (reply, value) => {
    const chat = inClient({ expressionToEvaluate: "{{N}} + 1", isExecutedOnClient: true });
    const turn = chat.say(reply);
    expect(turn.valueOf("A")).toEqual(value);
    expect(turn.said).toEqual(["on"]);
  });

  test("an expression without anything in it stays here", () => {
    const { start } = inClient({ isExecutedOnClient: true });
    expect(start.actions).toEqual([]);
    expect(start.valueOf("A")).toBeNull();
  });

  test("other presets stay here, whatever the flag says", () => {
    const { start } = inClient({ type: "Environment name", isExecutedOnClient: true });
    expect(start.actions).toEqual([]);
    expect(start.valueOf("A")).toBe("web");
  });

  test("a variable that the flow does not have still has its code run", () => {
    const { start } = inClient({ variableId: "vGone", expressionToEvaluate: "alert(1)", isExecutedOnClient: true });
    expect(start.actions).toHaveLength(1);
  });
});

describe("presets of the client", () => {
  /** The script of a preset as a function of the browser's globals, as the client runs it. */
  function scriptOf(type: string): (globals: Readonly<Record<string, unknown>>) => unknown {
    const groups = { g1: [{ id: "b1", type: "Set variable", options: { variableId: "vA", type } }] };
    const [action] = chatWith({ groups, variables }).start.actions;
    expect(action).toMatchObject({
      type: "setVariable",
      expectsDedicatedReply: true,
      setVariable: { scriptToExecute: { args: [] } },
    });
    const content = textAt(action, "setVariable", "scriptToExecute", "content") ?? "";
    return (globals) => new Function(...Object.keys(globals), content)(...Object.values(globals));
  }

  test.each([
    [0, "morning"],
    [11, "morning"],
    [12, "afternoon"],
    [17, "afternoon"],
    [18, "evening"],
    [23, "evening"],
  ])("at %i o'clock it is %s", (hour, moment) => {
    class Clock {
      getHours(): number {
        return hour;
      }
    }
    expect(scriptOf("Moment of the day")({ Date: Clock })).toBe(moment);
  });

  const desktop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36";
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Mobile/15E148 Safari/604.1";
  const ipad =
    "Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148 Safari/604.1";
  const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15";
  const androidPhone = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36";
  const androidTablet = "Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/142.0 Safari/537.36";

  test.each([
    ["a desktop", desktop, 0, 1920, "desktop"],
    ["a desktop with a touch screen", desktop, 10, 1920, "desktop"],
    ["an iPhone", iphone, 5, 390, "mobile"],
    ["an Android phone", androidPhone, 5, 412, "mobile"],
    ["an Android tablet", androidTablet, 5, 1200, "tablet"],
    ["an iPad", ipad, 5, 768, "tablet"],
    ["an iPad that calls itself a Mac", mac, 5, 820, "tablet"],
    ["a small touch screen", desktop, 5, 400, "mobile"],
    ["a narrow screen without touch", desktop, 0, 400, "desktop"],
  ])("%s is told by its name or its screen", (_, userAgent, maxTouchPoints, width, device) => {
    const globals = { navigator: { userAgent, maxTouchPoints }, window: {}, screen: { width } };
    expect(scriptOf("Device type")(globals)).toBe(device);
  });
});
