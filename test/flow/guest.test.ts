import { expect, test } from "bun:test";
import { completeFlow } from "../../src/flow/complete.ts";
import { flowForGuest } from "../../src/flow/guest.ts";
import { markUnsafe } from "../../src/flow/safety.ts";
import { findWarnings } from "../../src/flow/warnings.ts";
import { limits } from "../../src/limits.ts";

const block = (type: string, options: unknown) => Object.assign({ id: "b", type }, { options });

test("a guest sees no credential ids, however deep, and no security settings", () => {
  const flow = completeFlow({
    groups: [
      {
        id: "g",
        blocks: [
          block("Email", { credentialsId: "secret", recipients: ["a@example.com"] }),
          block("Webhook", { proxyCredentialsId: "secret", tools: [{ credentialsId: "secret", name: "c" }] }),
          { id: "t", type: "text" },
        ],
      },
    ],
    settings: { security: { allowedOrigins: ["https://a.example"] }, general: { isBrandingEnabled: true } },
  });
  const seen = flowForGuest(flow);
  expect(JSON.stringify(seen)).not.toContain("secret");
  expect(seen.settings).toEqual({ general: { isBrandingEnabled: true } });
  expect(seen.groups[0]?.blocks).toEqual([
    block("Email", { recipients: ["a@example.com"] }),
    block("Webhook", { tools: [{ name: "c" }] }),
    { id: "t", type: "text" },
  ]);
  expect(JSON.stringify(flow)).toContain("secret");
});

test("a guest sees no request, no code and no value that a variable begins with", () => {
  const flow = completeFlow({
    groups: [
      {
        id: "g",
        blocks: [
          block("Webhook", {
            isCustomBody: true,
            webhook: {
              url: "https://hook.example/secret",
              headers: [{ key: "X-Key", value: "secret" }],
              body: "secret",
            },
            variablesForTest: [{ variableId: "v", value: "secret" }],
            responseVariableMapping: [{ variableId: "v", bodyPath: "data.id" }],
          }),
          block("Make.com", { webhook: { url: "https://hook.example/secret" } }),
          block("Code", { name: "Sum", content: "secret()" }),
          block("Set variable", { variableId: "v", expressionToEvaluate: "secret()" }),
          block("openai", {
            model: "m",
            tools: [{ name: "find", code: "secret()" }],
            functions: [{ code: "secret()" }],
          }),
        ],
      },
    ],
    variables: [{ id: "v", name: "Key", value: "secret" }],
  });
  const seen = flowForGuest(flow);
  expect(JSON.stringify(seen)).not.toContain("secret");
  expect(seen.groups[0]?.blocks).toEqual([
    block("Webhook", { isCustomBody: true, responseVariableMapping: [{ variableId: "v", bodyPath: "data.id" }] }),
    block("Make.com", {}),
    block("Code", { name: "Sum" }),
    block("Set variable", { variableId: "v" }),
    block("openai", { model: "m", tools: [{ name: "find" }], functions: [{}] }),
  ]);
  expect(seen.variables).toEqual([{ id: "v", name: "Key" }]);
});

test("code that runs at the client's is marked in files that come from somebody else", () => {
  const marked = (type: string, options: unknown) => {
    const flow = markUnsafe(completeFlow({ groups: [{ id: "g", blocks: [block(type, options)] }, { id: "h" }] }));
    return flow.groups[0]?.blocks?.[0];
  };
  expect(marked("Code", undefined)).toEqual(block("Code", { isUnsafe: true }));
  expect(marked("Code", { isExecutedOnClient: false })).toEqual(
    block("Code", { isExecutedOnClient: false, isUnsafe: false }),
  );
  expect(marked("Set variable", { isExecutedOnClient: true })).toEqual(
    block("Set variable", { isExecutedOnClient: true, isUnsafe: true }),
  );
  expect(marked("Set variable", {})).toEqual(block("Set variable", { isUnsafe: false }));
  expect(marked("Redirect", { url: "u" })).toEqual(block("Redirect", { url: "u" }));
});

test("warnings tell what leads nowhere and what does nothing", () => {
  const flow = completeFlow({
    groups: [
      {
        id: "g",
        blocks: [
          { id: "a", type: "hologram", outgoingEdgeId: "gone" },
          { id: "b", type: "text", outgoingEdgeId: "e" },
        ],
      },
    ],
    edges: [
      { id: "e", to: { groupId: "g", blockId: "b" } },
      { id: "f", to: { groupId: "nowhere" } },
      { id: "h", to: { groupId: "g", blockId: "nowhere" } },
      { id: "i" },
    ],
  });
  expect(findWarnings(flow).map(({ type, path }) => `${type} ${path}`)).toEqual([
    "no_start events",
    "unknown_block_type groups[0].blocks[0]",
    "unknown_edge groups[0].blocks[0]",
    "unknown_target edges[1]",
    "unknown_target edges[2]",
    "unknown_target edges[3]",
  ]);
});

test("publishing warns of an item's id that comes a second time, in its block or in another", () => {
  const items = [{ id: "i" }, { id: "k" }];
  const flow = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    edges: [{ id: "e", to: { groupId: "g" } }],
    groups: [
      { id: "g", blocks: [Object.assign({ id: "a", type: "choice input" }, { items: [...items, { id: "i" }] })] },
      { id: "h", blocks: [Object.assign({ id: "b", type: "AB test" }, { items: [{ id: "k", path: "a" }] })] },
    ],
  });
  expect(findWarnings(flow).map(({ type, path }) => `${type} ${path}`)).toEqual([
    "duplicate_item_id groups[0].blocks[0].items[2]",
    "duplicate_item_id groups[1].blocks[0].items[0]",
  ]);
});

test("publishing warns of keys and words inside a block that nothing reads", () => {
  const options = { labels: { button: "Go", colour: "red" }, inputMode: "shout", mood: null };
  const block = Object.assign({ id: "a", type: "text input" }, { options, content: { html: "x" } });
  const headers = [{ id: "h", key: "X", value: "y", note: "z" }];
  const request = Object.assign({ id: "b", type: "Webhook" }, { options: { webhook: { method: "GO", headers } } });
  const flow = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    edges: [{ id: "e", to: { groupId: "g" } }],
    groups: [{ id: "g", blocks: [block, request, { id: "c", type: "hologram" }] }],
  });
  expect(findWarnings(flow).map(({ type, path }) => `${type} ${path}`)).toEqual([
    "unknown_block_type groups[0].blocks[2]",
    "unknown_key groups[0].blocks[0].content",
    "unknown_key groups[0].blocks[0].options.labels.colour",
    "unknown_word groups[0].blocks[0].options.inputMode",
    "unknown_word groups[0].blocks[1].options.webhook.method",
    "unknown_key groups[0].blocks[1].options.webhook.headers[0].note",
  ]);
});

test("publishing does not warn of the id of a reference cell, which older flows have", () => {
  const referenceCell = { id: "c", column: "Film", value: "{{Film}}" };
  const blocks = [block("Google Sheets", { action: "Get data from sheet", referenceCell })];
  const unknown = findWarnings(completeFlow({ groups: [{ id: "g", blocks }] })).filter(
    ({ type }) => type === "unknown_key",
  );
  expect(unknown).toEqual([]);
});

test("publishing advises on mails in which visitors' words are HTML", () => {
  const mails = [
    { body: "<b>{{Name}}</b>", isBodyCode: true },
    { body: "<b>{{Name}}</b>", isBodyCode: true, isEscaped: false },
    { body: "<b>{{Name}}</b>" },
    { body: "<b>Hello</b>", isBodyCode: true },
  ];
  const blocks = mails.map((options, index) => Object.assign({ id: `m${index}`, type: "Email" }, { options }));
  const flow = completeFlow({ groups: [{ id: "g", blocks }] });
  expect(findWarnings(flow).flatMap(({ type, path }) => (type === "advice" ? [path] : []))).toEqual([
    "groups[0].blocks[0]",
  ]);
});

test("there are no warnings about a flow that is whole, and never more than a caller can use", () => {
  const whole = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    groups: [{ id: "g" }],
    edges: [{ id: "e", to: { groupId: "g" } }],
  });
  expect(findWarnings(whole)).toEqual([]);
  const edges = Array.from({ length: 1_000 }, (_, index) => ({ id: `e${index}` }));
  expect(findWarnings({ ...whole, edges })).toHaveLength(limits.flow.warnings);
});
