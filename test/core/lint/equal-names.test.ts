import { expect, test } from "bun:test";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { idOf } from "../../support/builder-ids.ts";

const found = (flow: object, rule: string) =>
  lintFlow(completeFlow(readFlowParts({ version: "6.1", edges: [], variables: [], ...flow }, "bot")))
    .filter((finding) => finding.rule === rule)
    .map(({ message }) => message);

/** Returns the findings of an input with the given items. */
const ofItems = (items: readonly object[], block: object = {}) =>
  found(
    { groups: [{ id: "g", title: "G", blocks: [{ id: "c", type: "choice input", items, ...block }] }] },
    "equal_item_texts",
  );

const several = { options: { isMultipleChoice: true } };

test("items with equal texts in one block are reported", () => {
  const plain = "An earlier item has the same text, so typing this text selects the earlier item.";
  const unclear =
    "An earlier item has the same text, and the id of this item is a word in another item: visitors cannot choose it separately.";

  expect(
    ofItems([
      { id: "a", content: "Red" },
      { id: "b", content: " Red " },
    ]),
  ).toEqual([plain]);
  expect(
    ofItems([
      { id: "a", content: "Red" },
      { id: "b", content: "red" },
    ]),
  ).toEqual([]);
  expect(
    ofItems(
      [
        { id: "a", content: "New York" },
        { id: "b", content: "new  york" },
      ],
      several,
    ),
  ).toEqual([plain]);
  expect(
    ofItems([
      { id: "a", content: "x", value: "y" },
      { id: "b", content: "y" },
    ]),
  ).toEqual([plain]);
  expect(
    ofItems([
      { id: "a", content: "Red" },
      { id: "red", content: "Red" },
    ]),
  ).toEqual([unclear]);
  expect(
    ofItems([
      { id: "a", content: "Red" },
      { id: "b", content: "Red" },
      { id: "c", content: "b team" },
    ]),
  ).toEqual([unclear]);
  expect(
    ofItems(
      [
        { id: "a", title: "Cat" },
        { id: "b", title: "Cat" },
      ],
      { type: "picture choice input" },
    ),
  ).toEqual([plain]);
  expect(
    ofItems([
      { id: "a", content: "" },
      { id: "b", content: "" },
    ]),
  ).toEqual([]);
  expect(
    ofItems([
      { id: "a", content: "Red", value: "Red" },
      { id: "b", content: "Blue" },
    ]),
  ).toEqual([]);
  expect(
    ofItems(
      [
        { id: "a", content: "Red" },
        { id: "b", content: "Red" },
      ],
      { type: "cards" },
    ),
  ).toEqual([]);
});

const ask = (id: string, variableId?: string) => ({
  id,
  type: "text input",
  ...(variableId !== undefined && { options: { variableId } }),
});
const call = (webhook: object, more: object = {}) => ({ id: "h", type: "Webhook", options: { webhook, ...more } });
const url = "https://api.example.com/x";

/**
 * Returns the findings for two groups, which by default have the same title, and a third group with the given block.
 */
const ofTitles = (
  third: object,
  { first = ask("a"), second = ask("b"), title = "Ask", ...flow }: Record<string, unknown> = {},
) =>
  found(
    {
      groups: [
        { id: "g1", title: "Ask", blocks: [first] },
        { id: "g2", title, blocks: [second] },
        { id: "g3", title: "End", blocks: [third] },
      ],
      variables: [{ id: idOf("v"), name: "V" }],
      ...flow,
    },
    "equal_group_titles",
  );

test("equal group titles are reported if a body or a mail lists both answers", () => {
  const numbered =
    "An earlier group has the same title, so bodies that list all answers number the answers of this group.";
  const mail = { id: "m", type: "Email", options: { recipients: ["a@example.com"] } };
  const own = call({ url, body: "{}" }, { isCustomBody: true });

  expect(ofTitles(call({ url }))).toEqual([numbered]);
  expect(ofTitles(call({ url, body: "{{state}}" }, { isCustomBody: true }))).toEqual([numbered]);
  expect(ofTitles(mail)).toEqual([numbered]);
  expect(ofTitles(call({ url }), { second: ask("b", idOf("v")) })).toEqual([]);
  expect(ofTitles(call({ url }), { first: ask("a", idOf("v")) })).toEqual([]);
  expect(ofTitles(call({ url }), { title: "Other" })).toEqual([]);
  expect(ofTitles(call({}))).toEqual([]);
  expect(ofTitles(own)).toEqual([]);
  expect(ofTitles({ ...mail, options: { ...mail.options, body: "Hi" } })).toEqual([]);
  expect(ofTitles({ ...mail, options: { ...mail.options, body: "Hi", isCustomBody: false } })).toEqual([numbered]);
});

test("equal group titles are reported if the flow refers to groups by title", () => {
  const events = [{ id: "e", type: "reply", options: { inputNameVariableId: idOf("v") } }];
  const jumped = "An earlier group has the same title, and a jump by title goes to the earlier group.";
  const named = "An earlier group has the same title, so the reply event cannot distinguish them.";
  const bubble = { id: "t", type: "text" };

  expect(ofTitles({ id: "j", type: "Jump", options: { groupId: "{{V}}" } })).toEqual([jumped]);
  expect(ofTitles({ id: "j", type: "Jump", options: { groupId: "g1" } })).toEqual([]);
  expect(ofTitles(bubble, { events })).toEqual([named]);
  expect(ofTitles(bubble, { events, second: { id: "b", type: "text" } })).toEqual([]);
  expect(ofTitles(bubble)).toEqual([]);
});

const ofBody = (body: string, type?: string, more: object = { isCustomBody: true }) => {
  const headers = type === undefined ? [] : [{ id: "x", key: "Content-Type", value: type }];
  return found(
    {
      groups: [{ id: "g", title: "G", blocks: [call({ url, body, headers }, more)] }],
      variables: [{ id: idOf("v"), name: "V" }],
    },
    "body_not_json",
  );
};

test("invalid bodies that are meant as JSON are reported", () => {
  const begins = "The body looks like JSON but is not valid JSON, so it is sent as text.";
  const typed = "The type of the body is JSON, but its text is not valid JSON.";

  expect(ofBody('{"a": "{{V}}", }')).toEqual([begins]);
  expect(ofBody('["{{V}}"')).toEqual([begins]);
  expect(ofBody("a={{V}}", "application/json")).toEqual([typed]);
  expect(ofBody('{"a": "{{V}}", }', "application/vnd.api+json")).toEqual([typed]);
  for (const [body, type] of [
    ['{"a": "{{V}}", "n": {{V}}}'],
    ["{{V}}", "application/json"],
    ["{{V}} and {{V}}"],
    ['{"a": 1}\n{"a": "{{V}}"}\n', "application/x-ndjson"],
    ["a={{V}}", "application/x-www-form-urlencoded"],
    ['{"a": }', "text/plain"],
    ["note: {{V}}"],
    ["", "application/json"],
    ["{{state}}", "application/json"],
  ] as const)
    expect([body, ofBody(body, type)]).toEqual([body, []]);
  expect(ofBody('{"a": }', undefined, { isCustomBody: false })).toEqual([]);
});
