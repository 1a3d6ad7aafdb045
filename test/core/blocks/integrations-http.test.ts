import { describe, expect, test } from "bun:test";
import type { Effect, Report } from "../../../src/core/interpreter/program/effect.ts";
import { aNow, bubble, chatWith, question } from "./logic-flow.ts";

type HttpEffect = Extract<Effect, { kind: "http" }>;

const answered = (text: string, statusCode = 200): Report => ({ kind: "http", statusCode, text });
const at = "https://api.example.com/x";

type Setting = {
  readonly type?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly report?: Report;
};

/** Runs a flow of one HTTP block and a bubble after the block. */
function run(options: unknown, { type = "Webhook", variables = {}, report = answered("{}") }: Setting = {}) {
  const groups = {
    g1: [{ id: "h", type, options, outgoingEdgeId: "on" }, bubble("no", "not here")],
    g2: [bubble("b", "on")],
  };
  return chatWith({ groups, edges: { on: "g2" }, variables }, { resultId: "r", perform: () => report });
}

function sent(options: unknown, setting: Setting = {}): HttpEffect {
  const [effect] = run(options, setting).start.effects;
  if (effect?.kind !== "http") throw new Error("Nothing was sent");
  return effect;
}

const custom = (body: string, webhook: object = {}) => ({ isCustomBody: true, webhook: { url: at, body, ...webhook } });
const bodyOf = (body: string, variables: Setting["variables"] = {}, webhook: object = {}) =>
  sent(custom(body, webhook), { variables }).body;
const headersOf = (headers: readonly object[], more: object = {}) =>
  Object.fromEntries(
    sent({ webhook: { url: at, method: "GET", headers, ...more } }, { variables: { Key: "k1", None: null } }).headers,
  );

describe("a request", () => {
  test("a request is a POST by default, and the flow continues at the block's edge", () => {
    const { start } = run({ webhook: { url: at } });

    expect(start.effects).toMatchObject([{ kind: "http", method: "POST", url: at }]);
    expect(start.said).toEqual(["on"]);
  });

  test.each([[undefined], [{}], [{ timeout: 5 }]])(
    "a request without settings is not sent, and the flow continues (options: %p)",
    (options) => {
      const { start } = run(options);

      expect(start.effects).toEqual([]);
      expect(start.logs).toEqual([]);
      expect(start.said).toEqual(["on"]);
    },
  );

  test("a request without an address is not sent, and the problem is logged", () => {
    const { start } = run({ webhook: { method: "GET" } });

    expect(start.effects).toEqual([]);
    expect(start.logs).toEqual([{ description: "Couldn't parse webhook attributes", context: "Webhook" }]);
    expect(start.said).toEqual(["on"]);
  });

  test("the address of a request may contain variables", () => {
    const webhook = { url: "https://{{Host}}/{{Path}}?{{Nothing}}a={{List}}" };
    const variables = { Host: "api.example.com", Path: "a b", List: ["1", null] };

    expect(sent({ webhook }, { variables }).url).toBe('https://api.example.com/a b?a=["1",null]');
  });

  test("query parameters are encoded, grouped by name and appended to the address", () => {
    const queryParams = [
      { key: "a", value: "1 &" },
      { key: "b", value: "{{Name}}" },
      { key: "{{Key}}", value: "{{Name}}?{{" },
      { key: "none", value: "{{None}}" },
      { key: "", value: "x" },
      { value: "y" },
    ];
    const variables = { Name: "Zoë", Key: "a", None: null };

    const { url } = sent({ webhook: { url: `${at}?c=d`, queryParams } }, { variables });

    expect(url).toBe(`${at}?c=d&a=1%20%26&a=Zo%C3%AB%3F%7B%7B&b=Zo%C3%AB`);
  });

  test("the last of several headers with the same name is sent", () => {
    const headers = [
      { key: "X-{{Key}}", value: "v {{Key}}" },
      { key: "X-A", value: "1" },
      { key: "x-a", value: " 2\n" },
      { key: "X-None", value: "{{None}}" },
      { key: "", value: "x" },
      { key: "constructor", value: "c" },
    ];

    expect(headersOf(headers)).toEqual({ "X-k1": "v k1", "x-a": "2", constructor: "c" });
  });

  test.each([
    ["Authorization", "Basic user:pa:ss", "Basic dXNlcjpwYTpzcw=="],
    ["authorization", "Basic ü:{{Key}}", "Basic w7w6azE="],
    ["Authorization", "Basic dXNlcjpwYTpzcw==", "Basic dXNlcjpwYTpzcw=="],
    ["Authorization", "Bearer a:b", "Bearer a:b"],
    ["X-Other", "Basic user:pass", "Basic user:pass"],
  ])("a request with the header %s: %s sends the value %s (F26)", (key, value, expected) => {
    expect(headersOf([{ key, value }])[key]).toBe(expected);
  });

  test.each(["GET", "HEAD", "TRACE", "CONNECT"])("a %s request has no body", (method) => {
    const effect = sent(custom('{"a":1}', { method }));

    expect(effect).not.toHaveProperty("body");
    expect(effect.headers).toEqual([]);
  });
});

describe("the default body", () => {
  const expected = { submittedAt: new Date(aNow).toISOString() };

  test.each([[undefined], [false]])(
    "the default body contains every variable with a value (isCustomBody: %p)",
    (isCustomBody) => {
      const options = { isCustomBody, webhook: { url: at, body: "own" } };
      const effect = sent(options, { variables: { Name: "Ana", List: ["a", null, "b"], None: null } });

      expect(JSON.parse(effect.body ?? "")).toEqual({ ...expected, Name: "Ana", List: "a,,b" });
      expect(effect.headers).toEqual([["Content-Type", "application/json"]]);
    },
  );

  test.each(["", "{{state}}"])("the default body is sent if the custom body is %p", (body) => {
    expect(JSON.parse(bodyOf(body, { Name: "Ana" }) ?? "")).toEqual({ ...expected, Name: "Ana" });
  });

  test("the default body contains answers under group titles or variable names", () => {
    const ask = { ...question("q"), options: { variableId: "vName" } };
    const call = { id: "h", type: "Webhook", options: { webhook: { url: at } } };
    const flow = {
      groups: { g1: [question("p"), ask, call] },
      titles: { g1: "Hello" },
      variables: { Name: null, Age: "7" },
    };
    const chat = chatWith(flow, { perform: () => answered("") });

    chat.say("first");
    const [effect] = chat.say("Ana").effects;

    expect(effect?.kind === "http" && effect.body).toBe(
      JSON.stringify({ ...expected, Hello: "first", Name: "Ana", Age: "7" }),
    );
  });

  test("the default body includes variables named like built-in properties", () => {
    const body = sent({ webhook: { url: at } }, { variables: { ["__proto__"]: "a", constructor: "b" } }).body ?? "";

    expect(body).toContain('"__proto__":"a"');
    expect(body).toContain('"constructor":"b"');
  });
});

describe("the author's own body", () => {
  const variables = { Name: 'Ana "A."\n\\', List: ["a", '"', null], Json: '{"a":[1]}', Word: "hi" };

  test.each([
    ['{ "n": "{{Name}}", "l": {{List}} }', JSON.stringify({ n: variables.Name, l: variables.List })],
    ["{{List}}", '["a","\\"",null]'],
    ["{{Json}}", '{"a":[1]}'],
  ])("the body %p is sent as JSON with escaped values (F25)", (body, expected) => {
    const effect = sent(custom(body), { variables });

    expect(JSON.parse(effect.body ?? "")).toEqual(JSON.parse(expected));
    expect(effect.headers).toEqual([["Content-Type", "application/json"]]);
  });

  test.each([
    ["hello {{Word}} {{List}}", 'hello hi ["a","\\"",null]'],
    ["{{Word}}", "hi"],
    ["{{Word}} and {{Name}}", `hi and ${variables.Name}`],
    ["<x>{{Name}}</x>", `<x>${variables.Name}</x>`],
  ])("the body %p is sent as text with unchanged values (F25)", (body, expected) => {
    const effect = sent(custom(body), { variables });

    expect(effect.body).toBe(expected);
    expect(effect.headers).toEqual([]);
  });

  test.each(["0", "false", "null", '""', "{{Nothing}}"])("a body of %p is not sent", (body) => {
    expect(sent(custom(body))).not.toHaveProperty("body");
  });

  test("the author's own body preserves the digits of long numbers", () => {
    expect(bodyOf('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}');
  });

  test("the author's own body is sent with the configured content type", () => {
    const headers = [{ key: "content-type", value: "application/vnd.api+json" }];

    expect(sent(custom("{}", { headers })).headers).toEqual([["content-type", "application/vnd.api+json"]]);
  });

  test("the author's own body is form-encoded if the content type is a form type", () => {
    const headers = [{ key: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8" }];
    const json = '{ "a": "{{Word}} & co", "n": 1, "b": true, "o": { "x": [1] }, "e": null }';

    expect(bodyOf(json, variables, { headers })).toBe("a=hi+%26+co&n=1&b=true&o=%7B%22x%22%3A%5B1%5D%7D&e=null");
    expect(bodyOf("a={{Word}}&b=2", variables, { headers })).toBe("a=hi&b=2");
  });
});

describe("the time-out", () => {
  const seconds = (type: string, options: object, url = at) =>
    sent({ ...options, webhook: { url } }, { type }).timeoutMs / 1_000;

  test.each([
    ["Webhook", {}, 10],
    ["Webhook", { timeout: 30 }, 30],
    ["Webhook", { timeout: 0.1 }, 1],
    ["Webhook", { timeout: 500 }, 120],
    ["Zapier", {}, 120],
    ["Make.com", {}, 120],
    ["Pabbly", {}, 120],
    ["Pabbly", { timeout: 20 }, 20],
  ])("the time-out of a %s block with %p is %i seconds", (type, options, expected) => {
    expect(seconds(type, options)).toBe(expected);
  });

  test("the default time-out is longer for model providers", () => {
    expect(seconds("Webhook", {}, "https://api.openai.com/v1/x")).toBe(120);
    expect(seconds("Webhook", { timeout: 5 }, "https://api.openai.com/v1/x")).toBe(5);
    expect(seconds("Webhook", {}, "no address")).toBe(10);
  });
});

test.each([
  ["GET", 2],
  ["PUT", 2],
  ["HEAD", 2],
  ["DELETE", 2],
  ["OPTIONS", 2],
  ["TRACE", 2],
  ["POST", 0],
  ["PATCH", 0],
])("a %s request may be retried %i times (F23)", (method, retries) => {
  expect(sent({ webhook: { url: at, method } }).retries).toBe(retries);
});

describe("the response", () => {
  const mapping = (...pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, bodyPath], index) => ({ id: `m${index}`, variableId: `v${name}`, bodyPath }));
  const mapped = (report: Report, pairs: readonly (readonly [string, string])[], variables: Record<string, unknown>) =>
    run({ webhook: { url: at }, responseVariableMapping: mapping(...pairs) }, { report, variables }).start;

  test("variables are set to the results of expressions over the response", () => {
    const report = answered('{"items":[{"name":"a"},{"name":"b"}],"big":12345678901234567890,"empty":""}', 201);

    const turn = mapped(
      report,
      [
        ["First", "data.items[0].name"],
        ["All", "data.items.map(item => item.name)"],
        ["Status", "statusCode"],
        ["Big", "data.big"],
        ["Empty", "data.empty"],
        ["Named", "data.items[{{Index}}].name"],
        ["Object", "data.items[1]"],
      ],
      { First: null, All: null, Status: null, Big: null, Empty: "x", Named: null, Index: "1", Object: null },
    );

    const names = ["First", "All", "Status", "Big", "Empty", "Named", "Object"];
    expect(names.map((name) => turn.valueOf(name))).toEqual([
      ...["a", ["a", "b"], "201", "12345678901234567890", null, "b"],
      '{"name":"b"}',
    ]);
  });

  test("the response is text if it is not JSON", () => {
    expect(mapped(answered("plain"), [["A", "data.toUpperCase()"]], { A: null }).valueOf("A")).toBe("PLAIN");
    expect(mapped(answered("null"), [["A", "data === null"]], { A: null }).valueOf("A")).toBe("true");
    expect(mapped(answered(""), [["A", "data.length"]], { A: null }).valueOf("A")).toBe("0");
  });

  test("the response is mapped even if its status is an error (F23)", () => {
    const turn = mapped(answered('{"error":"no"}', 500), [["A", "data.error"]], { A: null });

    expect(turn.valueOf("A")).toBe("no");
    expect(turn.said).toEqual(["on"]);
  });

  test("a variable keeps its value if its expression for the response fails", () => {
    expect(mapped(answered("{}"), [["A", "data.x.y"]], { A: "before" }).valueOf("A")).toBe("before");
    expect(mapped(answered("{}"), [["A", "syntax error("]], { A: "before" }).valueOf("A")).toBe("before");
  });

  test("expressions over a response use the variables' values before the mapping", () => {
    const turn = mapped(
      answered('{"a":"x"}'),
      [
        ["A", "data.a"],
        ["B", '"{{A}}" + data.a'],
      ],
      { A: "old", B: null },
    );

    expect(turn.valueOf("B")).toBe("oldx");
  });

  test("templates in a response are stored as text and not evaluated", () => {
    const text = JSON.stringify({ a: "{{= 1 + 1 =}} {{B}}", code: 'process.exit()"' });
    const turn = mapped(answered(text), [["A", "data.a"]], { A: null, B: "secret" });

    expect(turn.valueOf("A")).toBe("{{= 1 + 1 =}} {{B}}");
  });

  test("characters of the response that cannot be stored are replaced", () => {
    const turn = mapped(answered('{"k\\u0000":"a\\u0000b\\ud800"}'), [["A", "data"]], { A: null });

    expect(turn.valueOf("A")).toBe('{"k\ufffd":"a\ufffdb\ufffd"}');
  });

  test("a deeply nested response is read as text, and a huge response can be mapped", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(mapped(answered(deep), [["A", "data.length"]], { A: null }).valueOf("A")).toBe("200000");

    const huge = JSON.stringify({
      items: Array.from({ length: 200_000 }, (_, index) => ({ id: index, name: "x".repeat(30) })),
    });
    const turn = mapped(
      answered(huge),
      [
        ["A", "data.items.filter(item => item.id === 5)[0].id"],
        ["B", "data.items[7].id"],
      ],
      { A: "before", B: null },
    );
    expect(turn.said).toEqual(["on"]);
    expect(turn.valueOf("B")).toBe("7");
  });

  test.each([
    [200, "success", "Webhook successfuly executed."],
    [204, "success", "Webhook successfuly executed."],
    [304, "error", "Webhook returned an error."],
    [404, "error", "Webhook returned an error."],
  ])("a response with the status %i is logged for the author only", (statusCode, status, description) => {
    const headers = [{ key: "Authorization", value: "Bearer secret" }];
    const options = custom('{"a":"{{Name}}"}', { headers });
    const { logs } = run(options, { report: answered('{"b":1}', statusCode), variables: { Name: "Ana" } }).start;

    const details = { statusCode, request: { url: at, method: "POST", body: { a: "Ana" } }, response: { b: 1 } };
    expect(logs).toEqual([{ status, description, details: JSON.stringify(details), isPrivate: true }]);
  });

  test("a long request body and a long response are truncated in the log", () => {
    const { logs } = run(custom("x".repeat(5_000)), { report: answered("y".repeat(5_000)) }).start;

    const details = JSON.parse(logs[0]?.details ?? "");
    expect(details.request.body).toBe(`${"x".repeat(1_000)}...`);
    expect(details.response).toBe(`${"y".repeat(1_000)}...`);
  });

  test("the error of a request without a response is mapped to variables", () => {
    const error = { message: "Security validation failed: The host's address is not public" };
    const turn = mapped(
      { kind: "http", statusCode: 400, error },
      [
        ["A", "data.message"],
        ["B", "statusCode"],
      ],
      { A: null, B: null },
    );

    expect(turn.valueOf("A")).toBe(error.message);
    expect(turn.valueOf("B")).toBe("400");
    expect(turn.logs).toMatchObject([{ status: "error", description: "Webhook returned an error." }]);
    expect(turn.logs[0]?.details).toContain(error.message);
    expect(turn.said).toEqual(["on"]);
  });

  test("a refused request changes no variable, and the log contains the reason", () => {
    const turn = mapped({ kind: "refused", reason: "No effects here" }, [["A", "1"]], { A: "before" });

    expect(turn.valueOf("A")).toBe("before");
    expect(turn.logs).toEqual([{ status: "info", description: "No effects here", context: "Webhook" }]);
    expect(turn.said).toEqual(["on"]);
  });
});

describe("a request that the visitor's client sends", () => {
  const mappingToA = [{ id: "m", variableId: "vA", bodyPath: "data.a" }];
  const options = { isExecutedOnClient: true, responseVariableMapping: mappingToA };
  const waiting = (type: string, webhook: object = { url: at }) =>
    run({ ...options, webhook }, { type, variables: { A: "before" } });

  test("a request for the visitor's client is sent as an action, and the flow waits", () => {
    const headers = [{ key: "X-A", value: "1" }];
    const { start } = waiting("Webhook", { url: at, method: "PUT", headers });

    expect(start.effects).toEqual([]);
    expect(start.isEnded).toBe(false);
    expect(start.said).toEqual([]);
    expect(start.actions).toEqual([
      {
        type: "httpRequestToExecute",
        httpRequestToExecute: {
          url: at,
          method: "PUT",
          headers: { "X-A": "1", "Content-Type": "application/json" },
          body: { submittedAt: new Date(aNow).toISOString(), A: "before" },
        },
        expectsDedicatedReply: true,
      },
    ]);
  });

  test("the visitor's client sends text bodies unchanged, and GET without a body", () => {
    const text = run({ ...custom("hello"), isExecutedOnClient: true }).start.actions[0];
    const get = waiting("Webhook", { url: at, method: "GET" }).start.actions[0];

    expect(text).toHaveProperty("httpRequestToExecute.body", "hello");
    expect(get).not.toHaveProperty("httpRequestToExecute.body");
  });

  test("a JSON response to the visitor's client is mapped to variables", () => {
    const turn = waiting("Webhook").say('{"statusCode":200,"data":{"a":"x\\u0000"}}');

    expect(turn.valueOf("A")).toBe("x\ufffd");
    expect(turn.logs).toEqual([]);
    expect(turn.said).toEqual(["on"]);
    expect(turn.isEnded).toBe(true);
  });

  test.each(["no JSON", "[1]", "5"])(
    "the reply %p to a request from the visitor's client is logged as invalid JSON, and the flow continues",
    (reply) => {
      const turn = waiting("Webhook").say(reply);

      expect(turn.valueOf("A")).toBe("before");
      expect(turn.logs).toEqual([{ description: "Provided response is not valid JSON", context: "Webhook" }]);
      expect(turn.said).toEqual(["on"]);
    },
  );

  test.each([
    ["blocked_by_page", "The page blocked the request of the visitor's browser"],
    ["too_large", "The visitor's browser got a response that is too large"],
  ])("a request from the visitor's client that failed with %s is logged with its reason", (failure, description) => {
    const log = { status: "error", description, details: failure };
    const reply = JSON.stringify({ statusCode: 500, data: "Failed", failure });
    const turn = waiting("Webhook").say(reply);

    expect(turn.logs).toEqual([{ ...log, context: "Webhook" }]);
    expect(turn.said).toEqual(["on"]);
    // These failures do not matter to a hook, whose response is not read.
    const isAnswered = failure === "not_json" || failure === "too_large";
    expect(waiting("Zapier").say(reply).logs).toEqual(isAnswered ? [] : [{ ...log, context: "Zapier" }]);
  });

  test.each(["other", "toString", 5, null])(
    "a request from the visitor's client with the unknown failure %p is not logged",
    (failure) => {
      expect(waiting("Webhook").say(JSON.stringify({ statusCode: 500, failure })).logs).toEqual([]);
    },
  );

  test("the flow continues after an empty reply from the visitor's client", () => {
    const turn = waiting("Webhook").say(null);

    expect(turn.valueOf("A")).toBe("before");
    expect(turn.said).toEqual(["on"]);
  });

  test.each(["Zapier", "Make.com", "Pabbly"])(
    "a response to a %s block in the visitor's client changes no variable",
    (type) => {
      const turn = waiting(type).say('{"statusCode":200,"data":{"a":"x"}}');

      expect(turn.valueOf("A")).toBe("before");
      expect(turn.said).toEqual(["on"]);
    },
  );
});
