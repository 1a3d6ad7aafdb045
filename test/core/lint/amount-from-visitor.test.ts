import { describe, expect, test } from "bun:test";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { amountFromVisitor } from "../../../src/core/lint/rules/amount-from-visitor.ts";
import { idOf } from "../../support/builder-ids.ts";

type Flow = {
  readonly groups: Readonly<Record<string, readonly object[]>>;
  /** Maps outlets to groups. An outlet is the start, or a path such as `ask.options.timeout`. */
  readonly leads?: Readonly<Record<string, string>>;
  readonly variables?: readonly object[];
  readonly events?: readonly object[];
};

const names = ["Price", "Total", "Currency", "Prices", "Name"];
const fixedPrice = { id: idOf("Price"), name: "Price", isPrefillable: false };
const pays = (amount: string, currency = "EUR") => ({
  id: "pay",
  type: "payment input",
  options: { credentialsId: "shop", amount, currency },
});
const asks = (type: string, options: object = {}, more: object = {}) => ({
  ...{ id: "ask", type },
  options: { variableId: idOf("Price"), ...options },
  ...more,
});
const sets = (options: object, id = "set") => ({
  id,
  type: "Set variable",
  options: { variableId: idOf("Price"), ...options },
});
const runs = (content: string, isExecutedOnClient = false) => ({
  id: "run",
  type: "Code",
  options: { content, isExecutedOnClient },
});
const edge = (id: string, groupId: string) => ({ id, to: { groupId } });

/** Returns the messages about the payments of a flow, without their common beginning. */
function findingsOf({
  groups,
  variables = names.map((name) => ({ id: idOf(name), name })),
  events = [],
  leads = {},
}: Flow) {
  const [first = ""] = Object.keys(groups);
  const flow = completeFlow(
    readFlowParts(
      {
        version: "6.1",
        events: [{ id: "start", type: "start", outgoingEdgeId: "e" }, ...events],
        groups: Object.entries(groups).map(([id, blocks]) => ({ id, title: id, blocks })),
        edges: [edge("e", first), ...Object.entries(leads).map(([id, groupId]) => edge(id, groupId))],
        variables,
      },
      "bot",
    ),
  );
  return lintFlow(flow, { rules: [amountFromVisitor] }).flatMap(
    ({ rule, severity, path, message, isFixable = false }) =>
      rule === "amount_from_visitor"
        ? [{ severity, path, isFixable, says: message.replace("Visitors set the price: ", "") }]
        : [],
  );
}

const says = (flow: Flow) => findingsOf(flow).map((finding) => finding.says);
const prefilled = (way = '"Price"') => [`the page's address may prefill ${way}.`];
const typed = (way = '"Price"') => [`they type ${way} in the group "shop".`];
const sent = (way = '"Price"') => [`their browser sends ${way} in the group "shop".`];
const shop = (...blocks: object[]) => ({ groups: { shop: [...blocks, pays("{{Price}}")] } });

describe("a price that the page's address can prefill", () => {
  test("a price that the page's address can prefill is a warning", () => {
    expect(findingsOf(shop())).toEqual([
      {
        ...{ severity: "warning", path: "groups[0].blocks[0].options.amount", isFixable: true },
        says: 'the page\'s address may prefill "Price".',
      },
    ]);
  });

  test("a prefillable price is reported even with a start value", () => {
    const constant = [{ id: idOf("Price"), name: "Price", value: "10" }];
    expect(says({ ...shop(), variables: constant })).toEqual(prefilled());
    expect(findingsOf({ groups: { shop: [pays("5", "{{Currency}}")] } })).toMatchObject([
      { path: "groups[0].blocks[0].options.currency" },
    ]);
  });

  test("a price that the page's address cannot prefill is not reported", () => {
    expect(says({ ...shop(), variables: [fixedPrice] })).toEqual([]);
    expect(says(shop(sets({ expressionToEvaluate: "10" })))).toEqual([]);
    expect(says({ groups: { shop: [pays("12.50")] } })).toEqual([]);
    expect(says({ groups: { shop: [pays("{{Unknown}}")] } })).toEqual([]);
  });

  test("a prefillable price that one path does not write is reported", () => {
    const choice = {
      ...{ id: "choose", type: "choice input" },
      items: [
        { id: "a", content: "A", outgoingEdgeId: "toA" },
        { id: "b", content: "B", outgoingEdgeId: "toPay" },
      ],
    };
    const a = [{ ...sets({ expressionToEvaluate: "10" }), outgoingEdgeId: "aToPay" }];
    const groups = { shop: [choice], a, end: [pays("{{Price}}")] };
    expect(says({ groups, leads: { toA: "a", toPay: "end", aToPay: "end" } })).toEqual(prefilled());
    expect(says({ groups, leads: { toA: "a", toPay: "a", aToPay: "end" } })).toEqual([]);
  });

  test("a prefillable price is reported after a time-out or a failed call", () => {
    const choice = (timeout: object) => asks("choice input", { timeout }, { items: [{ id: "i", content: "5" }] });
    expect(says(shop(choice({ after: 60 })))).toEqual(prefilled());
    expect(says(shop(choice({})))).toEqual([]);
    const groups = { shop: [choice({ after: 60, outgoingEdgeId: "late" })], end: [pays("{{Price}}")] };
    expect(says({ groups, leads: { late: "end" } })).toEqual(prefilled());
    const webhook = { method: "GET", url: "https://shop.example" };
    const responseVariableMapping = [{ variableId: idOf("Price"), bodyPath: "data.price" }];
    const call = (more: object) => ({
      ...{ id: "call", type: "Webhook" },
      options: { webhook, responseVariableMapping, ...more },
    });
    expect(says(shop(call({})))).toEqual([]);
    const failing = { shop: [call({ failure: { outgoingEdgeId: "failed" } })], end: [pays("{{Price}}")] };
    expect(says({ groups: failing, leads: { failed: "end" } })).toEqual(prefilled());
  });

  test("a prefillable price is reported with its path through variables", () => {
    const total = (options: object) => [sets({ variableId: idOf("Total"), ...options }), pays("{{Total}}")];
    const way = prefilled('"Price" → "Total"');
    expect(says({ groups: { shop: total({ expressionToEvaluate: "{{Price}} * 1.19" }) } })).toEqual(way);
    expect(says({ groups: { shop: total({ expressionToEvaluate: "{{Price}} EUR" }) } })).toEqual(way);
    expect(says({ groups: { shop: [pays("{{= {{Price}} * 2 =}}")] } })).toEqual(prefilled());
    const script = 'const sum = {{Price}} * 2;\nsetVariable("Total", sum.toFixed(2));';
    expect(says({ groups: { shop: [runs(script), pays("{{Total}}")] } })).toEqual(way);
    expect(says({ groups: { shop: total({ type: "Append value(s)", item: "{{Price}}" }) } })).toContain(
      'the page\'s address may prefill "Total".',
    );
    const pops = sets({ variableId: idOf("Prices"), type: "Pop", saveItemInVariableId: idOf("Total") });
    expect(says({ groups: { shop: [pops, pays("{{Total}}")] } })).toEqual(prefilled('"Prices" → "Total"'));
    const mapped = {
      baseItemVariableId: idOf("Name"),
      baseListVariableId: idOf("Name"),
      targetListVariableId: idOf("Prices"),
    };
    const maps = total({ type: "Map item with same index", mapListItemParams: mapped });
    expect(says({ groups: { shop: maps } })).toEqual(prefilled('"Prices" → "Total"'));
    const list = [
      { id: idOf("Prices"), name: "Prices", isPrefillable: false },
      { id: idOf("Name"), name: "Name" },
    ];
    expect(says({ groups: { shop: maps }, variables: [...list, { id: idOf("Total"), name: "Total" }] })).toEqual([]);
  });

  test("a prefillable price is reported once per payment", () => {
    const groups = {
      shop: [
        sets({ variableId: idOf("Total"), expressionToEvaluate: "{{Name}}" }),
        pays("{{Total}}", "{{Currency}}"),
        { ...pays("{{Price}}{{Price}}"), id: "second" },
      ],
    };
    expect(says({ groups })).toEqual(['the page\'s address may prefill "Currency".', ...prefilled()]);
  });

  test("a prefillable price is reported for a payment after an event", () => {
    const events = [{ id: "pays", type: "command", outgoingEdgeId: "toPay", options: { command: "pay" } }];
    const leads = { toPay: "end" };
    const end = [pays("{{Price}}")];
    const name = { id: "name", type: "text input", options: { variableId: idOf("Name") } };
    expect(says({ groups: { shop: [name], end }, events, leads })).toEqual(prefilled());
    const written = [sets({ expressionToEvaluate: "10" }), name];
    expect(says({ groups: { shop: written, end }, events, leads })).toEqual([]);
  });
});

describe("a price that visitors type", () => {
  test("a price that visitors type into an input is reported", () => {
    for (const type of ["text input", "number input", "url input", "email input", "file input", "date input"])
      expect(says(shop(asks(type)))).toEqual(typed());
    expect(findingsOf(shop(asks("number input")))).toMatchObject([{ isFixable: false }]);
    const total = sets({ variableId: idOf("Total"), expressionToEvaluate: "Number({{Price}}) || 1" });
    const groups = { shop: [asks("text input"), total, pays("{{Total}}")] };
    expect(says({ groups })).toEqual(typed('"Price" → "Total"'));
    const attached = asks("text input", {
      variableId: idOf("Name"),
      attachments: { isEnabled: true, saveVariableId: idOf("Price") },
    });
    expect(says({ ...shop(attached), variables: [fixedPrice, { id: idOf("Name"), name: "Name" }] })).toEqual(typed());
  });

  test("a price chosen from the author's values is not reported", () => {
    const items = [{ id: "i", content: "5", title: "5", value: "5", paths: [{ id: "p", text: "Buy" }] }];
    for (const type of ["choice input", "picture choice input", "ranking input"])
      expect(says(shop(asks(type, {}, { items })))).toEqual([]);
    expect(says(shop(asks("rating input")))).toEqual([]);
    expect(says(shop(asks("text input", { isCountry: true })))).toEqual([]);
    const saveResponseMapping = [{ field: "Internal Value", variableId: idOf("Price") }];
    expect(says(shop(asks("cards", { variableId: idOf("Name"), saveResponseMapping }, { items })))).toEqual([]);
  });

  test("a chosen price is reported if a prefillable variable supplies the choices", () => {
    const list = asks("choice input", { dynamicVariableId: idOf("Prices") });
    expect(says(shop(list))).toEqual(prefilled('"Prices" → "Price"'));
    const items = [{ id: "i", content: "{{Total}}" }];
    expect(says(shop(asks("choice input", {}, { items })))).toEqual(prefilled('"Total" → "Price"'));
    const shown = asks("choice input", { buttonLabel: "For {{Name}}" }, { items: [{ id: "i", content: "5" }] });
    expect(says(shop(shown))).toEqual([]);
  });

  test("a typed price that every path overwrites is not reported", () => {
    expect(says(shop(asks("text input"), sets({ expressionToEvaluate: "10" })))).toEqual([]);
    expect(says(shop(asks("text input"), runs('setVariable("Price", 10)')))).toEqual([]);
    expect(says(shop(asks("text input"), runs('const fee = 1\nsetVariable("Price", 10 + fee)')))).toEqual([]);
    for (const script of [
      'if ({{Name}}) setVariable("Price", 10)',
      'if ({{Name}})\n  setVariable("Price", 10)',
      'if ({{Name}}) { setVariable("Price", 10) }',
      'if ({{Name}}) { const fee = 1; setVariable("Price", 10 + fee) }',
      '{{Name}} && setVariable("Price", 10)',
    ])
      expect(says(shop(asks("text input"), runs(script)))).toEqual(typed());
    const other = runs('setVariable("Total", {{Price}}); setVariable("Name", "a")');
    const groups = { shop: [asks("text input"), other, pays("{{Name}}")] };
    expect(says({ groups })).toEqual([]);
  });

  test("a typed price is reported if a script computes the name of the variable", () => {
    const groups = {
      shop: [asks("text input", { variableId: idOf("Name") }), runs("setVariable(key, {{Name}})"), pays("{{Price}}")],
    };
    expect(says({ groups, variables: [fixedPrice, { id: idOf("Name"), name: "Name" }] })).toEqual(
      typed('"Name" → "Price"'),
    );
  });

  test("a price that an event saves from a reply is reported", () => {
    const event = (type: string) => [
      { id: "said", type, outgoingEdgeId: "toEvent", options: { contentVariableId: idOf("Price") } },
    ];
    const variables = [fixedPrice, { id: idOf("Name"), name: "Name" }];
    const group = [{ id: "back", type: "Return" }];
    const said = (type: string, input: string) =>
      says({
        ...{ variables, events: event(type), leads: { toEvent: "end" } },
        groups: {
          shop: [asks(input, { variableId: idOf("Name") }, { items: [{ id: "i", content: "5" }] }), pays("{{Price}}")],
          end: group,
        },
      });
    expect(said("reply", "text input")).toEqual(typed());
    expect(said("reply", "choice input")).toEqual([]);
    expect(said("invalidReply", "choice input")).toEqual(typed());
  });
});

describe("a price that the visitor's browser sends", () => {
  const fixed = (...blocks: object[]) => ({ ...shop(...blocks), variables: [fixedPrice] });
  const webhook = { method: "GET", url: "https://shop.example" };
  const responseVariableMapping = [{ variableId: idOf("Price"), bodyPath: "data" }];

  test("a price that the browser or an external call sets is reported", () => {
    const request = { webhook, responseVariableMapping, isExecutedOnClient: true };
    const waitForEvent = { isEnabled: true, name: "chosen", saveDataInVariableId: idOf("Price") };
    for (const block of [
      sets({ expressionToEvaluate: "10", isExecutedOnClient: true }),
      sets({ type: "Device type" }),
      { id: "call", type: "Webhook", options: request },
      { id: "frame", type: "embed", content: { url: "https://shop.example", waitForEvent } },
      { id: "listens", type: "webhook", options: { responseVariableMapping } },
    ])
      expect(says(fixed(block))).toEqual(sent());
  });

  test("a price that is computed on the server is not reported", () => {
    for (const block of [
      sets({ expressionToEvaluate: "10" }),
      { id: "call", type: "Webhook", options: { webhook, responseVariableMapping } },
      runs('setVariable("Price", 1)', true),
    ])
      expect(says(fixed(block))).toEqual([]);
  });
});

test("the search in a huge flow stops early and reports only some findings", () => {
  const total = { variableId: idOf("Total"), expressionToEvaluate: "{{Total}} + 1" };
  const many = Array.from({ length: 40 }, (_, at) => [
    ...Array.from({ length: 99 }, (__, index) => sets(total, `${at} ${index}`)),
    { ...pays("{{Price}}"), id: `pay ${at}` },
  ]).flat();

  const { length } = findingsOf({ groups: { shop: many } });
  expect(length).toBeGreaterThan(20);
  expect(length).toBeLessThan(40);
});
