import { expect, test } from "bun:test";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { valueAt } from "../../../src/core/interpreter/flow.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { unknownVariable } from "../../../src/core/lint/rules/unknown-variable.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

const stored = (flow: object) => completeFlow(JSON.parse(JSON.stringify(flow)));
const found = (blocks: readonly object[], rule?: string) =>
  lintFlow(stored(flowOf(blocks))).filter((finding) => rule === undefined || finding.rule === rule);
const call = (index: number, options: object = {}) => ({ id: `call-${index}`, type: "Webhook", options });
const sets = (expressionToEvaluate: string, more: object = {}) => ({
  ...{ id: "set", type: "Set variable" },
  options: { variableId: idOf("Name"), expressionToEvaluate, ...more },
});

test("forty HTTP blocks in the old format cause at most six findings", () => {
  const old = { isAdvancedConfig: true, isCustomBody: true };
  const blocks = Array.from({ length: 40 }, (_, index) => call(index, old));
  const findings = found([says("Hi"), ...blocks, asks("text input", { isPrefillDisabled: true })]);
  expect(findings.length).toBeLessThanOrEqual(6);
  expect(findings.filter(({ rule }) => rule === "unknown_key")).toEqual([]);
  expect(findings.filter(({ rule }) => rule === "without_address")).toMatchObject([
    {
      severity: "warning",
      blockId: "call-0",
      path: "groups[0].blocks[1].options.webhook.url",
      message: "40 blocks have no URL to call; this is the first block.",
    },
  ]);
});

test("only blocks without an address are listed, unless they ignore the rule", () => {
  const url = { webhook: { url: "https://example.com" } };
  const left = { ...call(1), lint: { ignore: ["without_address"] } };
  expect(
    found([call(0, url), left, call(2, { webhook: { url: " " } }), asks("text input")], "without_address"),
  ).toMatchObject([{ blockId: "call-2", message: "This block has no URL to call." }]);
  const types = ["Zapier", "Make.com", "Pabbly"].map((type) => ({ id: type, type }));
  expect(found([...types, asks("text input")], "without_address")).toMatchObject([
    { blockId: "Zapier", message: "3 blocks have no URL to call; this is the first block." },
  ]);
});

test("an unreachable block is not counted among blocks without an address", () => {
  const flow = stored(flowOf([says("Hi")], [call(1)]));
  expect(lintFlow(flow).filter(({ rule }) => rule === "without_address")).toEqual([]);
});

test("the unknown names in one text are one finding", () => {
  const names = Array.from({ length: 22 }, (_, index) => `N${index}`);
  const flow = stored(flowOf([says(names.map((name) => `{{${name}}}`).join(" "))]));
  const findings = lintFlow(flow).filter(({ rule }) => rule === "unknown_variable");
  expect(findings).toMatchObject([
    {
      variableName: "N0",
      variableNames: names,
      isFixable: true,
      message:
        'No variables are named "N0", "N1", "N2", "N3", "N4" and 17 more, so nothing is inserted in their places.',
    },
  ]);
  const added = unknownVariable.fix?.changes({ ...flow, editor: null }, findings, { newId: () => crypto.randomUUID() });
  expect(added?.map((change) => valueAt(change, "value", "name"))).toEqual(names);
});

test("unsaved answers are one finding per bot", () => {
  const inputs = ["text input", "email input", "url input"].map((type) => asks(type));
  expect(found(inputs, "unkept_answer")).toMatchObject([
    {
      message:
        "No variable stores the answers of 3 questions, and the flow does not use them; this is the first question.",
    },
  ]);
});

test("a long unknown value is truncated in the message", () => {
  const odd = (word: string) =>
    found([call(0, { webhook: { url: "https://example.com", method: word } })], "unknown_word");
  expect(odd("GO")).toMatchObject([{ message: 'The value "GO" is unknown and is treated as absent.' }]);
  expect(odd("x".repeat(100))).toMatchObject([
    { message: `The value "${"x".repeat(60)}…" is unknown and is treated as absent.` },
  ]);
  expect(odd("GO")[0]?.advice).toContain("docs/block-catalogue.md");
});

test.each([
  "Your score is {{Name}} * 2 (unknown",
  "Write to {{Name}}(me) and ask for more",
  "Total of {{Name}} + tax is due",
])("the sentence %j is reported as failing only if it is marked as code", (sentence) => {
  expect(found([sets(sentence)], "expression_fails")).toEqual([]);
  expect(found([sets(sentence, { isCode: true })], "expression_fails")).toHaveLength(1);
});

test.each([
  "{{Name}}.length + bonus",
  "return {{Name}} +",
  "typeof {{Name}} + bonus",
  "{{Name}} * bonus instanceof Number",
])("the code %j is reported as failing", (code) => {
  expect(found([sets(code)], "expression_fails")).toHaveLength(1);
});

test("each unused key is one finding, even if several elements have it", () => {
  const group = (id: string) => ({
    id,
    title: id,
    colour: "red",
    blocks: [{ ...says(id), id, note: "x", label: "old" }],
  });
  const findings = lintFlow(
    stored({
      ...flowOf([]),
      events: [{ id: "start", type: "start", outgoingEdgeId: "a", delay: 2, graphCoordinates: { x: 0, y: 0, z: 1 } }],
      groups: [group("one"), group("two")],
      edges: ["a", "b"].map((id) => ({
        id,
        from: { eventId: "start", groupId: "old", port: 1 },
        to: { groupId: "one" },
      })),
      variables: [{ id: idOf("Name"), name: "Name", isHidden: true, isSessionVariable: true, value: null, type: null }],
    }),
  ).filter(({ rule }) => rule === "unknown_key");

  expect(findings).toMatchObject(
    [
      {
        ...{ path: "groups[0].colour", groupId: "one", severity: "info" },
        message: "This key is not used. 2 groups have it; this is the first.",
      },
      { path: "groups[0].blocks[0].note", blockId: "one", message: /2 blocks have it/ },
      { path: "edges[0].from.port", edgeId: "a", message: /2 edges have it/ },
      { path: "variables[0].isHidden", variableId: idOf("Name"), message: "This key is not used." },
      { path: "events[0].delay", eventId: "start" },
      { path: "events[0].graphCoordinates.z", eventId: "start" },
    ].map(({ message, ...finding }) => ({
      ...finding,
      message: message instanceof RegExp ? expect.stringMatching(message) : (message ?? expect.any(String)),
    })),
  );
});

test("unknown keys of blocks of an unsupported type are not reported", () => {
  const strange = { id: "strange", type: "hologram", beam: 3 };
  expect(found([strange, asks("text input")], "unknown_key")).toEqual([]);
});

test.each([...new Bun.Glob("*.json").scanSync("test/flows")])(
  "no unknown key is found in the elements of %s",
  async (name) => {
    const file = await Bun.file(`test/flows/${name}`).json();
    const findings = lintFlow(stored(valueAt(file, "typebot") ?? valueAt(file, "bot") ?? file));
    const strange = findings.filter(
      ({ rule, path }) => rule === "unknown_key" && !/\.(content|options|items)\b/.test(path),
    );
    expect(strange.map(({ path }) => path)).toEqual([]);
  },
);
