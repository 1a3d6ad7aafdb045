import { describe, expect, test } from "bun:test";
import { blocks } from "../../../src/core/blocks/index.ts";
import { textMessage } from "../../../src/core/interpreter/evaluation/text-content.ts";
import type { Report } from "../../../src/core/interpreter/program/effect.ts";
import type { ModelFailure } from "../../../src/core/interpreter/program/model.ts";
import { bubble, chatWith } from "./logic-flow.ts";

const failure = { outgoingEdgeId: "failed" };

/** Runs the block. A bubble after the block shows the variable, and another group handles a failure. */
function run(block: { type: string; options: object }, report: Report, { edges = { failed: "g2" } } = {}) {
  const groups = {
    g1: [{ id: "b", ...block }, bubble("after", "Went on: {{Value}}")],
    g2: [bubble("sorry", "Failed: {{Value}}")],
  };
  const { start } = chatWith(
    { groups, edges, variables: { Value: "before" } },
    { resultId: "r", perform: () => report },
  );
  return { start, said: start.said, value: start.valueOf("Value"), errors: start.logs.filter(isError) };
}

const isError = ({ status }: { readonly status?: string }) => status !== "success" && status !== "info";

const http = (statusCode: number): Report => ({ kind: "http", statusCode, text: '{"a":"came"}' });
const mapping = [{ variableId: "vValue", bodyPath: "statusCode" }];

describe.each(["Webhook", "Zapier", "Make.com", "Pabbly"])("%s", (type) => {
  const options = { webhook: { url: "https://api.example.com" }, responseVariableMapping: mapping };
  const block = (more: object = {}) => ({ type, options: { ...options, ...more } });

  test.each<readonly [string, Report, string]>([
    ["401", http(401), "401"],
    ["403", http(403), "403"],
    ["404", http(404), "404"],
    ["429", http(429), "429"],
    ["500", http(500), "500"],
    ["302", http(302), "302"],
    ["no answer in time", { kind: "http", statusCode: 408, error: { message: "Request timed out. (10s)" } }, "408"],
    ["no answer", { kind: "http", statusCode: 500, error: { description: "[ECONNRESET] The request failed" } }, "500"],
    ["a refused address", { kind: "http", statusCode: 400, error: { message: "refused" } }, "400"],
  ])(
    'after the outcome "%s" the flow follows a connected failure edge or continues, and a variable gets the status',
    (...row) => {
      const [, report, value] = row;
      const led = run(block({ failure }), report);
      expect(led.said).toEqual([`Failed: ${value}`]);
      expect(led.errors).toHaveLength(1);
      expect(run(block(), report).said).toEqual([`Went on: ${value}`]);
      expect(run(block({ failure }), report, { edges: { failed: "nowhere" } }).said).toEqual([]);
    },
  );

  test("the flow continues after a successful response or a refused preview call", () => {
    expect(run(block({ failure }), http(204)).said).toEqual(["Went on: 204"]);
    const refused = { kind: "refused", reason: "An anonymous preview performs no effects" } as const;
    expect(run(block({ failure }), refused).said).toEqual(["Went on: before"]);
  });

  test("a failure edge that is missing in the flow is ignored", () => {
    const { said } = run(block({ failure: { outgoingEdgeId: "gone" } }), http(500));
    expect(said).toEqual(["Went on: 500"]);
  });

  test("the flow follows the failure edge if the request has no address", () => {
    const { said, errors } = run({ type, options: { webhook: {}, failure } }, http(200));
    expect(said).toEqual(["Failed: before"]);
    expect(errors).toEqual([{ description: "Couldn't parse webhook attributes", context: type }]);
  });
});

describe("a request of the visitor's client", () => {
  const groups = {
    g1: [
      {
        id: "b",
        type: "Webhook",
        options: { isExecutedOnClient: true, webhook: { url: "https://api.example.com" }, failure },
      },
      bubble("after", "Went on"),
    ],
    g2: [bubble("sorry", "Failed")],
  };
  test.each([
    ['{"statusCode":500,"data":{}}', ["Failed"]],
    ["no JSON", ["Failed"]],
    ['{"statusCode":200,"data":{}}', ["Went on"]],
    ['{"data":{}}', ["Went on"]],
    [null, ["Went on"]],
  ])(
    "the flow follows the failure edge only if the visitor's client reports an error status or invalid JSON: %j",
    (reported, said) => {
      expect(chatWith({ groups, edges: { failed: "g2" } }).say(reported).said).toEqual(said);
    },
  );
});

test.each([
  ["not_json", ["Went on"]],
  ["too_large", ["Went on"]],
  ["unreachable", ["Failed"]],
  ["blocked_by_page", ["Failed"]],
])(
  "a hook called by the visitor's client leads to the failure edge only if no response arrived (reported: %s)",
  (reason, said) => {
    const options = { isExecutedOnClient: true, webhook: { url: "https://hook.example.com" }, failure };
    const groups = {
      g1: [{ id: "b", type: "Make.com", options }, bubble("after", "Went on")],
      g2: [bubble("sorry", "Failed")],
    };
    const reported = JSON.stringify({ statusCode: 500, data: "", failure: reason });

    expect(chatWith({ groups, edges: { failed: "g2" } }).say(reported).said).toEqual(said);
  },
);

const credentials = { credentialsId: "c", model: "m" };
const chatOptions = {
  ...credentials,
  messages: [{ role: "user", content: "Hi" }],
  responseMapping: [{ item: "Message content", variableId: "vValue" }],
};
const reasons = [
  "credentials",
  "address",
  "key",
  "credit",
  "overloaded",
  "unreachable",
  "time",
  "unreadable",
  "budget",
] as const;

function without(kind: "model" | "speech" | "transcription", reason: ModelFailure["reason"]): Report {
  if (kind === "model") return { kind, failure: { reason } };
  return kind === "speech" ? { kind, failure: { reason } } : { kind, failure: { reason } };
}

describe("a model that returns no answer", () => {
  const asked = [
    [
      "Create chat completion",
      { type: "openai", options: { action: "Create chat completion", ...chatOptions } },
      "model",
    ],
    [
      "Create chat completion of another provider",
      { type: "mistral", options: { action: "Create chat completion", ...chatOptions } },
      "model",
    ],
    [
      "Create chat completion of the older block",
      {
        type: "OpenAI",
        options: {
          ...{ task: "Create chat completion", ...chatOptions },
          responseMapping: [{ valueToExtract: "Message content", variableId: "vValue" }],
        },
      },
      "model",
    ],
    [
      "Ask Model",
      {
        type: "openai",
        options: {
          ...{ action: "Ask Model", ...credentials, message: "Hi" },
          responseMapping: [{ item: "Message", variableId: "vValue" }],
        },
      },
      "model",
    ],
    [
      "Create speech",
      {
        type: "openai",
        options: {
          action: "Create speech",
          ...credentials,
          input: "Hi",
          voice: "alloy",
          saveUrlInVariableId: "vValue",
        },
      },
      "speech",
    ],
    [
      "Create transcription",
      {
        type: "openai",
        options: {
          action: "Create transcription",
          ...credentials,
          url: "https://a.example/b",
          transcriptionVariableId: "vValue",
        },
      },
      "transcription",
    ],
  ] as const;

  test.each(asked)(
    "%s follows the failure edge after a failure, clears its variable and shows no default text",
    (_, block, kind) => {
      for (const reason of reasons) {
        const led = run({ ...block, options: { ...block.options, failure } }, without(kind, reason));
        expect(led.said).toEqual(["Failed: "]);
        expect(led.value).toBeNull();
        expect(led.errors).toHaveLength(1);
      }
    },
  );

  test.each(asked)("%s continues the flow after a time-out if it has no failure edge", (_, block, kind) => {
    const { said } = run(block, without(kind, "time"));
    expect(said).not.toContain("Failed: ");
    expect(said).toHaveLength(1);
  });

  test.each(asked)("%s without credentials calls no service, and follows the failure edge", (_, block) => {
    const { start, said } = run(
      { ...block, options: { ...block.options, credentialsId: "", failure } },
      { kind: "refused", reason: "not asked" },
    );
    expect(start.effects).toEqual([]);
    expect(said).toEqual(["Failed: "]);
  });

  test("a preview that may not call services does not follow the failure edge", () => {
    const [[, block]] = asked;
    const refused = { kind: "refused", reason: "An anonymous preview performs no effects" } as const;
    expect(run({ ...block, options: { ...block.options, failure } }, refused).said).not.toContain("Failed: ");
  });

  test("the text of an interrupted answer is kept", () => {
    const [[, block]] = asked;
    const interrupted = [textMessage("half", "Half an…", "markdown")];
    const report = { kind: "model", failure: { reason: "time" }, interrupted } as const;
    expect(run({ ...block, options: { ...block.options, failure } }, report).said).toEqual(["Half an…", "Failed: "]);
  });

  const extracting = {
    type: "openai",
    options: {
      ...{ action: "Generate variables", ...credentials, prompt: "Say" },
      variablesToExtract: [{ variableId: "vValue", type: "string" }],
      failure,
    },
  };
  const saying = (text: string): Report => ({
    kind: "model",
    answer: { text, ended: "stop", tokens: { in: 1, cached: 0, out: 1, isEstimated: false } },
  });

  test("Generate variables follows the failure edge without values", () => {
    expect(run(extracting, { kind: "model", failure: { reason: "time" } }).said).toEqual(["Failed: before"]);
    expect(run(extracting, saying("no JSON")).said).toEqual(["Failed: before"]);
    expect(run(extracting, saying('{"Value":"found"}')).said).toEqual(["Went on: found"]);
  });
});

test("a failure edge counts as outgoing only if it is connected", () => {
  const led = [...blocks.values()].filter(({ family, schema }) => {
    const { options } = schema.properties;
    return family === "integration" && options?.["properties"]?.["failure"] !== undefined;
  });
  expect(led.length).toBeGreaterThan(10);
  for (const { type, ways } of led) {
    const stored = { id: "b", type, options: { failure } };
    expect(ways(stored).ways).toContainEqual({ kind: "edge", edgeId: "failed", at: "options.failure" });
    expect(ways({ ...stored, options: {} }).ways.filter(({ kind }) => kind === "edge")).toEqual([]);
  }
});
