import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies, type Dependencies } from "../../../src/service/dependencies.ts";
import { signature, thoughts } from "../../fake-model/thinking.ts";
import { flowOf, publish, say, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { createModelChats, type Held, type ModelChats } from "../../support/model-chats.ts";
import { outsideFetch, startOutside } from "../../support/outside.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

let chats: ModelChats;
const cleanups = cleanupStack();

beforeAll(async () => {
  chats = await createModelChats({}, { safeFetch: outsideFetch() });
});
afterEach(cleanups.run);
afterAll(() => chats.close());

const weather = {
  type: "function",
  name: "weather",
  description: "The weather where {{Name}} is",
  parameters: [
    { type: "string", name: "city", description: "Where" },
    { type: "enum", name: "unit", values: ["C", "F"], required: false },
  ],
  code: "return city + ': 20 ' + (unit ?? 'C')",
};

const unfit = "The arguments do not fit:";

const options = (tools: readonly object[], more: object = {}) => ({
  model: "tools",
  messages: [{ role: "user", content: "{{Name}}" }],
  tools,
  ...more,
});

/** `said` tells the fake model which tools to call. */
const hold = (tools: readonly object[], said: string, more: object = {}): Promise<Held> =>
  chats.hold(chats.answers(options(tools, more)), said);

describe("a model's tools", () => {
  test("a model's tools are run with their arguments", async () => {
    const { texts, asked, logs } = await hold([weather], 'say One moment.\ncall weather {"city":"Rome","unit":"F"}');

    expect(texts).toEqual(["Answer: One moment.\n\nThe tools said: Rome: 20 F"]);
    expect(logs).toEqual([]);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.body["tools"]).toEqual([
      {
        type: "function",
        function: {
          name: "weather",
          description: expect.stringContaining("The weather where say One moment."),
          parameters: {
            type: "object",
            properties: {
              city: { type: "string", description: "Where" },
              unit: { type: "string", enum: ["C", "F"] },
            },
            required: ["city"],
            additionalProperties: false,
          },
        },
      },
    ]);
    expect(asked[1]?.body["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id: "call_0_1", function: { name: "weather" } }] },
      { role: "tool", tool_call_id: "call_0_1", content: "Rome: 20 F" },
    ]);
  });

  test.each(["thinks", "signs"])(
    "a model's tools work for a model that expects its thoughts back (%s), and no reader sees the thoughts",
    async (model) => {
      const said = 'call weather {"city":"Rome"}\n\ncall weather {"city":"Oslo"}';
      const { texts, asked, logs, everything } = await hold([weather], said, { model });

      expect(texts).toEqual(["Answer: The tools said: Oslo: 20 C"]);
      expect(logs).toEqual([]);
      expect(asked).toHaveLength(3);
      for (const secret of [thoughts, signature(0)]) expect(everything).not.toContain(secret);
    },
  );

  test.each<[string, string, string, string]>([
    ["nothing", "", "{}", "ok"],
    ["a number", "return 7", "{}", "7"],
    ["an object", "return { a: [1] }", "{}", '{"a":[1]}'],
    ["the value of a promise", "return await Promise.resolve('later')", "{}", "later"],
    ["a value to a call without arguments", "return typeof setVariable", "", "function"],
  ])("a model's tools may return %s", async (_, code, given, told) => {
    const { texts } = await hold([{ name: "run", code: `${code};` }], `call run ${given}`);

    expect(texts).toEqual([`Answer: The tools said: ${told}`]);
  });

  test("a variable in a tool's code never runs as code", async () => {
    const said = `'"\`);\${setVariable("Email","x")}\\ throw new Error("run") // {{Email}}\ncall run {}`;
    const code = [
      "// don't read {{Name}} here",
      `const single = '{{Name}}', double = "{{Name}}", template = \`<{{Name}}|\${{{Name}}}>\`;`,
      "const half = 8 / 2 / 1, plain = {{Name}}, pattern = /['\"]{{Name}}/.source.length > 0;",
      "return [single, double, template.length === 2 * plain.length + 3].every((one) => one === plain || one === true) && half === 4 && pattern;",
    ].join("\n");

    expect((await hold([{ name: "run", code }], said)).texts).toEqual(["Answer: The tools said: true"]);
  });

  test("a model's tools read variables that earlier tools have set", async () => {
    const tools = [
      { name: "put", parameters: [{ name: "value" }], code: 'setVariable("Email", value)' },
      { name: "get", code: "return {{Email}}" },
    ];

    expect((await hold(tools, 'call put {"value":"kept"}\ncall get {}')).texts).toEqual([
      "Answer: The tools said: ok | kept",
    ]);
  });

  test.each<[string, string, string]>([
    ["a list", "[1]", "The arguments must be a JSON object"],
    ["invalid JSON", '{"city":', "The arguments are not valid JSON"],
    ["a missing argument", "{}", `${unfit} Instance does not have required property "city".`],
    ["a required argument that is null", '{"city":null}', `${unfit} Instance does not have required property "city".`],
    [
      "an argument of the wrong type",
      '{"city":5}',
      `${unfit} city: Instance type "number" is invalid. Expected "string".`,
    ],
    [
      "an argument outside its list of values",
      '{"city":"Rome","unit":"K"}',
      `${unfit} unit: Instance does not match any of ["C","F"].`,
    ],
    [
      "an undeclared argument",
      '{"city":"Rome","__proto__":{"unit":"F"}}',
      `${unfit} Property "__proto__" does not match additional properties schema.`,
    ],
    ["a megabyte of arguments", '{"city":"MEGABYTE"}', "The arguments are longer than 64000 characters"],
  ])("a model's tools are not run with %s, and the model gets the reason", async (_, given, problem) => {
    const { asked, logs } = await hold([weather], `call weather ${given}`);

    expect(asked[1]?.body["messages"]).toMatchObject([{}, {}, { role: "tool", content: `Error: ${problem}` }]);
    expect(logs).toEqual([`The model used the tool incorrectly: ${problem}`]);
  });

  test("a model's tools may have a parameter named __proto__", async () => {
    const parameters = [
      { name: "__proto__", type: "number" },
      { name: "first name" },
      { name: "first name", type: "number" },
    ];
    const code =
      "return JSON.stringify([Object.getOwnPropertyDescriptor(globalThis, '__proto__').value, globalThis['first name']])";
    const { texts } = await hold([{ name: "run", parameters, code }], 'call run {"__proto__":7,"first name":"Ana"}');

    expect(texts).toEqual(['Answer: The tools said: [7,"Ana"]']);
  });

  test("a failed tool is reported to the model, logged, and sets no variables", async () => {
    const tools = [{ name: "Book a table", code: 'setVariable("Email", "x"); throw new Error("no table")' }];
    const { texts, entries } = await hold(tools, "call Book_a_table {}\ncall cancel {}");

    expect(texts).toEqual(["Answer: The tools said: Error: [undefined] no table | Error: There is no such tool"]);
    expect(entries).toMatchObject([
      { context: "While running the tool Book a table", status: "error", description: "[undefined] no table" },
      { context: "While running the tool cancel", status: "info" },
    ]);
  });

  test("a model's tools have distinct names that providers accept", async () => {
    const tools = ["Wetter für", "Wetter f_r", "Wetter.f.r"].map((name) => ({ name, code: `return "${name}"` }));
    const { texts } = await hold(tools, "call Wetter_f_r {}\ncall Wetter_f_r_2 {}\ncall Wetter_f_r_3 {}");

    expect(texts).toEqual(["Answer: The tools said: Wetter für | Wetter f_r | Wetter.f.r"]);
  });

  test("a long value from a model's tool is truncated, and the model gets a note", async () => {
    const { texts } = await hold([{ name: "run", code: "return 'x'.repeat(40000)" }], "call run {}");

    expect(`${texts}`).toEndWith("x\n[truncated: 8000 more characters]");
  });

  test("a model may call at most sixteen tools at once, in at most five rounds", async () => {
    const calls = Array.from({ length: 17 }, (_, index) => `call count {"at":${index}}`);
    const tools = [{ name: "count", parameters: [{ name: "at", type: "number" }], code: "return at" }];
    const many = await hold(tools, calls.join("\n"));
    const endless = await hold(tools, 'always call count {"at":7}');

    expect(`${many.texts}`).toEndWith("14 | 15 | Too many calls at once");
    expect(endless.asked).toHaveLength(6);
    expect(endless.asked.map(({ body }) => body["tools"] !== undefined)).toEqual([true, true, true, true, true, false]);
    expect(endless.texts).toEqual(["Answer: The tools said: 7"]);
  });

  test("a tool that is too large or has no code is not offered to the model", async () => {
    const large = { name: "large", description: "x".repeat(20_000), code: "1" };
    const { asked, logs } = await hold([large, { name: "idle" }, weather], "Hello");

    expect(asked[0]?.body["tools"]).toHaveLength(1);
    expect(logs).toEqual([
      "The tool large is not available to the model, because there are too many tools, or it is too large",
    ]);
  });

  test("a model's tools run even if the server sends no call ids and reports a stop", async () => {
    const { texts } = await hold([weather], 'call weather {"city":"Rome"}', { model: "tools-carelessly" });

    expect(texts).toEqual(["Answer: The tools said: Rome: 20 C"]);
  });
});

test("a tool is called once even if its node crashes", async () => {
  const outside = await startOutside((_, response) => response.end("booked"));
  cleanups.add(() => outside.close());
  const tools = [
    { name: "one", code: "return 'first'" },
    { name: "post", code: `return await fetch("${outside.url()}", { method: "POST", body: "a table" })` },
  ];
  const { api, model, token, workspaceId } = chats;
  const messages = [{ role: "user", content: "call one {}\n\ncall post {}\n\ncall one {}" }];
  const flow = flowOf(chats.answers(options(tools, { messages })));
  const { publicId } = await publish(api.client, { token, workspaceId }, flow);
  const sessionId = (await start(api.client, publicId)).text("sessionId");
  const node = (more: Partial<Dependencies>) => {
    const app = createApp({ ...createDependencies(api.deps), ...more });
    return createClient({ handle: (request) => app.handle(request) });
  };
  const dead = Promise.withResolvers<boolean>();
  cleanups.add(() => dead.resolve(false));
  let saves = 0;
  const save = () => {
    saves++;
    return dead.promise;
  };
  const standingStill = { seconds: 0.3, renewMs: 600_000 };
  const dying = node({
    claimTimes: standingStill,
    saves: { ...api.deps.saves, steps: { ...api.deps.saves.steps, save } },
  });
  const asked = model.asked.length;

  const lost = say(dying, sessionId, "Ana", { headers: { "Idempotency-Key": "the-same" } });
  await waitFor(() => saves === 1);
  const answer = await say(node({}), sessionId, "Ana", { headers: { "Idempotency-Key": "the-same" } });
  dead.resolve(false);
  await lost;

  expect(answer.at("messages.*.content.plainText")).toEqual(["Answer: The tools said: first"]);
  expect(model.asked.length - asked).toBe(4);
  expect(outside.requests.map(({ body }) => body)).toEqual(["a table"]);
});
