import { expect, test } from "bun:test";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { readOwnMachine } from "../../../src/core/flow/outgoing-rules.ts";
import type { LintFacts } from "../../../src/core/lint/facts.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { idOf } from "../../support/builder-ids.ts";

/** Returns the severity, rule and path of the findings in a flow of the given blocks. */
function told(blocks: object[], facts: LintFacts = {}, parts: object = {}): string[] {
  const flow = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    edges: [{ id: "e", to: { groupId: "g" } }],
    groups: [{ id: "g", title: "G", blocks: blocks.map((block, index) => ({ id: `b${index}`, type: "", ...block })) }],
    variables: [{ id: idOf("v"), name: "Name" }],
    ...parts,
  });
  return lintFlow(flow, { facts }).map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
}

const says = (text: string) => ({ type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } });

const set = (variableId: string, expressionToEvaluate: string) => ({
  type: "Set variable",
  options: { variableId, expressionToEvaluate },
});

test("missing variables are reported where the flow uses them", () => {
  const faulty = [
    says("Hello {{Nmae}}, {{Name}} {{ Name}}"),
    set(idOf("gone"), "1"),
    set(idOf("v"), "{{Name}} + {{Age}} + (() => {{ return {a: 1} }})()"),
    { type: "text input", options: { variableId: idOf("away") } },
  ];
  const settings = {
    events: [{ id: "r", type: "reply", outgoingEdgeId: "e", options: { contentVariableId: idOf("x") } }],
  };
  const start = { id: "s", type: "start", outgoingEdgeId: "e" };
  expect(told(faulty, {}, { events: [start, ...settings.events] })).toEqual([
    "warning unknown_variable groups[0].blocks[0].content.richText[0].children[0].text",
    "warning unknown_variable groups[0].blocks[1].options.variableId",
    "warning unknown_variable groups[0].blocks[2].options.expressionToEvaluate",
    "warning unknown_variable groups[0].blocks[3].options.variableId",
    "warning unknown_variable events[1].options.contentVariableId",
  ]);
  const written = set(idOf("v"), "1");
  expect(told([written, says("Hello {{Name}} {{secret.KEY}} {{=1 + 1=}}"), set(idOf("v"), "{{Name}} + 1")])).toEqual(
    [],
  );
});

test.each(["Unit price €", "Price in €", "Straße Nr.", "🧺 Körbchen", "कीमत", "_id"])(
  "code that references %p gets a warning if the variable does not exist",
  (name) => {
    expect(told([set(idOf("v"), `{{${name}}} * 2`)])).toEqual([
      "warning unknown_variable groups[0].blocks[0].options.expressionToEvaluate",
    ]);
  },
);

test.each(["a: 1", "a, b", "a + b", "a(1)", "'a'", "1 + 1", ".a", "€", "-a"])(
  "code in braces references no variable: %p",
  (code) => {
    expect(told([set(idOf("v"), `({{${code}}})`)])).toEqual([]);
  },
);

test.each([
  '"{{Name}}"',
  "'{{Name}}' + 1",
  "`Hello {{Name}}!`",
  '{{Name}} + " and {{Name}}"',
  'return "{{Name}}"',
  'String("{{Name}}").length',
])("a variable within quotes of code gets a warning: %p", (code) => {
  expect(told([set(idOf("v"), code)])).toEqual([
    "warning expression_fails groups[0].blocks[0].options.expressionToEvaluate",
  ]);
});

test.each([
  'He said "{{Name}}"',
  '{{Name}} "{{Name}}"',
  '"{{Name}}" {{Name}}',
  '12 "{{Name}}"',
  '("a") "{{Name}}"',
  '["a"]"{{Name}}"',
  '"{{Name}}" 12',
  '"Hello " + {{Name}}',
  '"a" === {{Name}} ? "b" : "c"',
])("a text, or code with its variables outside quotes, is not reported: %p", (code) => {
  expect(told([set(idOf("v"), code)])).toEqual([]);
});

test("a missing variable for suggested answers is reported", () => {
  const asks = (listVariableId: string) => ({ type: "text input", options: { followUps: { listVariableId } } });

  expect(told([asks(idOf("gone"))])).toContain(
    "warning unknown_variable groups[0].blocks[0].options.followUps.listVariableId",
  );
  expect(told([asks(idOf("v"))]).filter((finding) => finding.includes("unknown_variable"))).toEqual([]);
});

test("variable names are not checked if the flow links to another bot", () => {
  const link = { type: "Typebot link", options: { typebotId: "other", mergeResults: true } };
  expect(told([link, says("{{Theirs}}")])).toEqual([]);
});

test("a jump to a missing group or block gets a warning", () => {
  const jump = (options: object) => ({ type: "Jump", options });
  const link = (typebotId: string, groupId: string) => ({ type: "Typebot link", options: { typebotId, groupId } });
  const linkedBots = new Map([["other", { groupIds: new Set(["theirs"]) }]]);
  expect(told([link("current", "gone"), link("other", "gone"), jump({ groupId: "gone" })], { linkedBots })).toEqual([
    ...[0, 1, 2].map((block) => `warning unknown_group groups[0].blocks[${block}].options.groupId`),
  ]);
  expect(told([jump({ groupId: "g", blockId: "gone" })])).toEqual([
    "warning always_breaks_off groups[0].blocks[0]",
    "warning unknown_group groups[0].blocks[0].options.blockId",
  ]);
  const ask = { type: "text input", options: { variableId: idOf("v") } };
  expect(told([ask, says("{{Name}}"), link("other", "theirs"), jump({ groupId: "g" })], { linkedBots })).toEqual([]);
});

test("linked bots and credentials are checked only if the workspace is known", () => {
  const blocks = [
    { type: "Typebot link", options: { typebotId: "away" } },
    { type: "Email", options: { credentialsId: "foreign", recipients: ["a@example.com"] } },
    { type: "Email", options: { credentialsId: "default", recipients: ["a@example.com"] } },
  ];
  expect(told(blocks, { linkedBots: new Map([["away", null]]), credentials: new Map([["own", "smtp"]]) })).toEqual([
    "warning unknown_bot groups[0].blocks[0].options.typebotId",
    "warning credentials_missing groups[0].blocks[1].options.credentialsId",
  ]);
  expect(
    told(blocks, {
      linkedBots: new Map([["away", { groupIds: new Set() }]]),
      credentials: new Map([["foreign", "smtp"]]),
    }),
  ).toEqual([]);
  expect(told(blocks)).toEqual([]);
});

test("model blocks are reported for unusable and missing credentials", () => {
  const asks = (type: string, options: object) => ({ type, options: { action: "Create chat completion", ...options } });
  const own = { credentialsId: "own", model: "any" };
  const fallback = (type: string, credentialsId: string) => ({ type, credentialsId, model: "any" });
  const credentials = new Map([
    ["own", "openai"],
    ["other", "groq"],
  ]);
  const blocks = [
    asks("openai", own),
    asks("openai", { ...own, credentialsId: "other" }),
    asks("openai", { ...own, credentialsId: "{{Name}}" }),
    asks("openai", {
      ...own,
      fallbacks: [fallback("groq", "other"), fallback("groq", "own"), fallback("mistral", "gone")],
    }),
    { type: "OpenAI", options: { task: "Create chat completion", credentialsId: "own" } },
    asks("openai", { ...own, model: " " }),
    asks("openai", { model: "any" }),
    asks("openai", { ...own, action: "Ask Assistant" }),
    asks("openai", { action: "Create speech" }),
    asks("openai", { action: "Nothing that is known" }),
    { type: "OpenAI", options: { task: "Create chat completion" } },
    { type: "OpenAI", options: { task: "Create image" } },
  ];

  expect(told(blocks, { credentials }).filter((one) => one.startsWith("warning"))).toEqual([
    "warning credentials_missing groups[0].blocks[1].options.credentialsId",
    "warning credentials_missing groups[0].blocks[3].options.fallbacks[1].credentialsId",
    "warning credentials_missing groups[0].blocks[3].options.fallbacks[2].credentialsId",
    ...[5, 6, 7, 8, 10].map((index) => `warning advice groups[0].blocks[${index}]`),
  ]);
});

test("the required type of credentials comes from the block's field", () => {
  const blocks = (credentialsId: string) => [
    { type: "Google Sheets", options: { credentialsId } },
    { type: "gmail", options: { credentialsId, action: "Send email" } },
    { type: "payment input", options: { credentialsId, amount: "5" } },
    { type: "address input", options: { credentialsId } },
    // Visitors can only answer this block by typing.
    { type: "address input", options: {} },
  ];
  const missing = (credentialsId: string) =>
    told(blocks(credentialsId), {
      credentials: new Map([
        ["sheets", "google sheets"],
        ["mails", "gmail"],
        ["pays", "stripe"],
        ["finds", "address-search"],
      ]),
    }).filter((one) => one.includes("credentials_missing"));
  const at = (index: number) => `warning credentials_missing groups[0].blocks[${index}].options.credentialsId`;
  expect(missing("sheets")).toEqual([at(1), at(2), at(3)]);
  expect(missing("mails")).toEqual([at(0), at(2), at(3)]);
  expect(missing("pays")).toEqual([at(0), at(1), at(3)]);
  expect(missing("finds")).toEqual([at(0), at(1), at(2)]);
});

test("a call to an address that is always refused is reported", () => {
  const call = (url: string, more: object = {}) => ({ type: "Webhook", options: { webhook: { url }, ...more } });
  const refused = [
    "http://localhost/x",
    "http://169.254.169.254/latest",
    "http://[::1]/",
    "ftp://example.com/",
    "https://example.com:25/",
  ];
  expect(told(refused.map((url) => call(url)))).toEqual(
    refused.map((_, index) => `warning refused_address groups[0].blocks[${index}].options.webhook.url`),
  );
  const inner = call("http://10.0.0.8/hook");
  expect(told([inner], { allowedHosts: [] })).toHaveLength(1);
  expect(told([inner], { allowedHosts: ["10.0.0.8"] })).toEqual([]);
  const own = [call("http://localhost:4000/"), call("https://127.0.0.1:4000/hook")];
  expect(told(own, { ownMachine: readOwnMachine("") })).toHaveLength(2);
  // The builder cannot read the operator's settings, so it reports no problem with the port.
  expect(told(own)).toEqual([]);
  expect(told([...own, call("http://localhost:4001/")], { ownMachine: readOwnMachine("localhost:4000") })).toEqual([
    "warning refused_address groups[0].blocks[2].options.webhook.url",
  ]);
  const fine = [
    call("https://example.com/"),
    call("http://{{Name}}/"),
    call("https://localhost/", { isExecutedOnClient: true }),
  ];
  expect(told([inner, ...fine])).toEqual([]);
});
