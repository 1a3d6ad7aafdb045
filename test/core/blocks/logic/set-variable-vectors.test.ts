import { describe, expect, test } from "bun:test";
import { textAt } from "../../../../src/core/interpreter/flow.ts";
import { bubble, type ChatOptions, chatWith } from "../logic-flow.ts";
import vectors from "./set-variable-vectors.json";

describe("an expression", () => {
  for (const { vector, saved, ...rest } of vectors.custom) {
    const expressionToEvaluate = "expression" in rest ? rest.expression : undefined;
    test(`${vector}: ${JSON.stringify(expressionToEvaluate) ?? "nothing"} is saved as ${JSON.stringify(saved)}`, () => {
      const { start } = set({ expressionToEvaluate }, vectors.variables);
      expect({
        A: start.valueOf("A"),
        B: start.valueOf("B"),
        logs: start.logs.filter(({ isPrivate }) => !isPrivate),
      }).toEqual({
        A: saved,
        B: vectors.variables.B,
        logs: [],
      });
    });
  }
});

describe("a preset", () => {
  test.each(vectors.presets)("$vector: $is sets the documented values", ({ options, before, after }) => {
    const { start } = set(options, before, { resultId: "the-result" });
    for (const [name, value] of Object.entries(after)) expect(start.valueOf(name)).toEqual(value);
  });
});

describe("an expression for the client", () => {
  const options = { expressionToEvaluate: "{{N}} + 1", isExecutedOnClient: true };

  test("V43: an expression for the client is sent with its variables' values", () => {
    const scriptToExecute = { content: "vN + 1", args: [{ id: "vN", value: 5 }] };
    expect(set(options, vectors.variables).start.actions).toEqual([
      { type: "setVariable", setVariable: { scriptToExecute }, expectsDedicatedReply: true },
    ]);
  });

  test.each(vectors.clientReplies)("$vector: the reply $reply is saved as $saved", ({ reply, saved }) => {
    const turn = set(options, vectors.variables).say(reply);
    expect(turn.valueOf("A")).toEqual(saved);
    expect(turn.said).toEqual(["on"]);
  });
});

describe("a preset of the client", () => {
  test.each(vectors.devices)("a preset of the client detects $is", ({ userAgent, maxTouchPoints, width, device }) => {
    const globals = { navigator: { userAgent, maxTouchPoints }, window: {}, screen: { width } };
    expect(scriptOf("Device type")(globals)).toBe(device);
  });

  test.each(vectors.moments)("a preset of the client reads hour $hour as $moment", ({ hour, moment }) => {
    class Clock {
      getHours(): number {
        return hour;
      }
    }
    expect(scriptOf("Moment of the day")({ Date: Clock })).toBe(moment);
  });

  /** Returns the script of a preset as a function of the browser's globals, as the client runs it. */
  function scriptOf(type: string): (globals: Readonly<Record<string, unknown>>) => unknown {
    const [action] = set({ type }, vectors.variables).start.actions;
    expect(action).toMatchObject({ expectsDedicatedReply: true, setVariable: { scriptToExecute: { args: [] } } });
    const content = textAt(action, "setVariable", "scriptToExecute", "content") ?? "";
    return (globals) => new Function(...Object.keys(globals), content)(...Object.values(globals));
  }
});

function set(options: object, variables: Readonly<Record<string, unknown>>, chatOptions: ChatOptions = {}) {
  const block = { id: "b1", type: "Set variable", options: { variableId: "vA", ...options } };
  return chatWith({ groups: { g1: [block, bubble("b2", "on")] }, variables }, chatOptions);
}
