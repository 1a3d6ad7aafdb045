import { describe, expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowDocument, JsonObject } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { advance } from "../../../../src/core/interpreter/step/advance.ts";
import { responseOf, resultsOf } from "../../../../src/core/interpreter/step/finished-step.ts";
import { closeStep } from "../../../../src/core/interpreter/step/step.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { runScript } from "../../../support/talks.ts";

type Flow = {
  readonly variables: FlowDocument["variables"];
  readonly theme?: JsonObject;
  readonly asked: readonly object[];
  /** The blocks of the group `linked`. */
  readonly linked?: readonly object[];
};

const noTokens = { in: 0, out: 0, cached: 0, isEstimated: false };

/**
 * Runs the start of a chat with the given blocks, and the step of the reply if there is one. Returns the data of the
 * last step.
 */
function begin(
  { variables, theme = {}, asked, linked = [] }: Flow,
  resultId: string | null = "result",
  reply?: string,
) {
  const group = (id: string, list: readonly object[]) => ({
    ...{ id, title: id },
    blocks: list.map((block, index) => ({ id: `${id}${index}`, type: "", ...block })),
  });
  const flow = {
    ...{ version: "6", variables, theme, edges: [{ id: "first", to: { groupId: "group" } }] },
    events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
    groups: [group("group", asked), group("linked", linked)],
  };
  const program = compile("program", "bot", flow, blocks);
  const context = {
    now: 0,
    seed: "0".repeat(32),
    isLive: true,
    contentFormat: "richText" as const,
    readsGfm: true,
    blocks,
    runScript,
  };
  const begun = { isStreamEnabled: false, isOnlyRegistering: false, reply: null, options: {} };
  let advanced = advance(context, program, () => program, { kind: "start", resultId, ...begun });
  while (advanced.kind === "performing") {
    const report =
      advanced.effect.kind === "model"
        ? ({ kind: "model", answer: { text: "\\int", tokens: noTokens, ended: "stop" } } as const)
        : ({ kind: "transcript", text: "Hello" } as const);
    advanced = advance(context, program, () => program, {
      kind: "report",
      continuation: advanced.continuation,
      report,
    });
  }
  if (advanced.kind !== "stepped") throw new Error(`It is ${advanced.kind}`);
  if (reply !== undefined) {
    const state = closeStep(advanced.step);
    const said = { kind: "reply", state, reply: { type: "text", text: reply } } as const;
    advanced = advance(context, program, () => program, said);
    if (advanced.kind !== "stepped") throw new Error(`It is ${advanced.kind}`);
  }
  const { step, isEnded } = advanced;
  return { results: resultsOf(step, { isEnded }), response: responseOf(step, { isEnded }) };
}

const input = { type: "text input" };
const named = (name: string, value: string, isSessionVariable = false) => ({
  id: idOf(name),
  name,
  value,
  isSessionVariable,
});
const kept = (flow: Flow) => begin(flow).results.map(({ variables }) => variables.map(({ name }) => name));

test("a result contains variables that have a value, but no session variables", () => {
  const transcript = { type: "Set variable", options: { variableId: idOf("Talk"), type: "Transcript" } };
  const both = [named("A", "1"), named("B", "2")];

  expect(kept({ variables: both, asked: [input] })).toEqual([["A", "B"]]);
  expect(kept({ variables: [...both, named("Own", "3", true)], asked: [input] })).toEqual([["A", "B"]]);
  expect(kept({ variables: [...both, { id: idOf("Talk"), name: "Talk" }], asked: [transcript, input] })).toEqual([
    ["A", "B"],
  ]);
});

describe("a merged flow", () => {
  const sets = (name: string, value: string) => ({
    type: "Set variable",
    options: { variableId: idOf(name), expressionToEvaluate: value },
  });
  const asked = [{ type: "Typebot link", options: { typebotId: "current", groupId: "linked" } }, input];
  const variables = [named("A", "ann"), named("B", "bea"), named("C", "cat"), named("D", "dan")];
  const linked = [sets("A", "ann"), sets("B", "ben"), sets("D", "")];
  const seen = (flow: Flow, reply?: string) =>
    begin(flow, "result", reply).results.map(({ variables, inStep }) => ({
      variables: variables.map(({ name, value }) => `${name} ${value}`),
      set: inStep?.set,
    }));

  test("a merged flow sets its variables, even to an equal value", () => {
    const expected = [{ variables: ["A ann", "C cat", "D dan", "B ben"], set: [idOf("A"), idOf("B")] }];

    expect(seen({ variables, asked, linked })).toEqual(expected);
    expect(seen({ variables, asked, linked: [...linked, input] })).toEqual(expected);
  });

  test("a merged flow preserves the backslashes of a model's answer", () => {
    const responseMapping = [{ id: "m", item: "Message content", variableId: idOf("B") }];
    const messages = [{ id: "q", role: "user", content: "Hello" }];
    const asksModel = {
      type: "openai",
      options: { credentialsId: "own", action: "Create chat completion", model: "any", messages, responseMapping },
    };

    const bubble = { type: "text", content: { richText: [{ type: "p", children: [{ text: "{{B}}" }] }] } };

    expect(seen({ variables, asked, linked: [asksModel, bubble] })[0]?.variables).toContain("B \\int");
  });

  test("a merged flow does not set the same values again in its next step", () => {
    const answered = { ...input, options: { variableId: idOf("C") } };

    expect(seen({ variables, asked, linked: [...linked, answered, input] }, "cat")).toEqual([
      { variables: ["A ann", "C cat", "D dan", "B ben"], set: [idOf("C")] },
    ]);
  });
});

test("a step of a chat without a result writes no result", () => {
  const flow = { variables: [], asked: [{ type: "text", content: { plainText: "Bye" } }] };

  expect(begin(flow, null).results).toEqual([]);
  expect(begin(flow).results).toEqual([
    { resultId: "result", botId: "bot", variables: [], hasStarted: false, isCompleted: false },
  ]);
});

test("the response contains only those theme addresses that begin with a variable", () => {
  const avatar = (url: string, isEnabled = true) => ({ url, isEnabled });
  const of = (theme: JsonObject) =>
    begin({ variables: [named("Face", "https://x.example/a.png")], theme, asked: [input] }).response;
  const shown = of({
    general: { background: { type: "Image", content: "{{Face}}?wide" } },
    chat: { hostAvatar: avatar("{{Face}}"), guestAvatar: avatar("{{Face}}", false) },
  });

  expect(shown.dynamicTheme).toEqual({
    hostAvatarUrl: "https://x.example/a.png",
    backgroundUrl: "https://x.example/a.png?wide",
  });
  expect(of({ chat: { hostAvatar: avatar("https://x.example/{{Face}}") } }).dynamicTheme).toBeUndefined();
  expect(of({ general: {}, chat: {} }).dynamicTheme).toBeUndefined();
});
