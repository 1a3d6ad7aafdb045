import { expect, test } from "bun:test";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { type LintOptions, lintFlow } from "../../../src/core/lint/lint.ts";

const start = { id: "s", type: "start", outgoingEdgeId: "e" };
const toGroup = { id: "e", to: { groupId: "g" } };

/** Rule, severity and place of every finding. */
function told(flow: Parameters<typeof completeFlow>[0], options: LintOptions = {}): string[] {
  return lintFlow(completeFlow(flow), options).map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
}

test("edges that lead nowhere are errors where visitors come, warnings elsewhere, and harmless where nothing follows them", () => {
  const blocks = [
    { id: "a", type: "text", outgoingEdgeId: "gone" },
    { id: "b", type: "Wait", outgoingEdgeId: "gone" },
    { id: "c", type: "text", outgoingEdgeId: "to c" },
  ];
  const lost = [{ id: "d", type: "text", outgoingEdgeId: "gone" }];
  const edges = [
    toGroup,
    { id: "to c", to: { groupId: "g", blockId: "nowhere" } },
    { id: "unused", to: { groupId: "nowhere" } },
  ];
  const groups = [
    { id: "g", blocks },
    { id: "h", blocks: lost },
  ];
  expect(told({ events: [start], groups, edges })).toEqual([
    "error unknown_edge groups[0].blocks[1]",
    "warning unknown_edge groups[1].blocks[0]",
    "warning unknown_target edges[1]",
    "warning unreachable_group groups[1]",
    "info unknown_target edges[2]",
  ]);
});

test("the linter tells of an item's id that comes a second time, in its block or in another", () => {
  const items = [{ id: "i" }, { id: "k" }];
  const choice = (id: string, its: object[]) => Object.assign({ id, type: "choice input" }, { items: its });
  const blocks = [choice("a", [...items, { id: "i" }]), choice("b", [{ id: "k" }])];
  const flow = { events: [start], edges: [toGroup], groups: [{ id: "g", blocks }] };
  expect(told(flow).filter((line) => line.includes("duplicate"))).toEqual([
    "warning duplicate_item_id groups[0].blocks[0].items[2]",
    "info duplicate_item_id groups[0].blocks[1].items[0]",
  ]);
});

test("the linter tells of keys and words inside a block that nothing reads", () => {
  const options = { labels: { button: "Go", colour: "red" }, inputMode: "shout", mood: null };
  const block = Object.assign({ id: "a", type: "text input" }, { options, content: { html: "x" } });
  const headers = [{ id: "h", key: "X", value: "y", note: "z" }];
  const request = Object.assign({ id: "b", type: "Webhook" }, { options: { webhook: { method: "GO", headers } } });
  const flow = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    edges: [{ id: "e", to: { groupId: "g" } }],
    groups: [{ id: "g", blocks: [block, request, { id: "c", type: "hologram" }] }],
  });
  expect(lintFlow(flow).map(({ rule, path }) => `${rule} ${path}`)).toEqual([
    "unknown_block_type groups[0].blocks[2]",
    "unknown_word groups[0].blocks[0].options.inputMode",
    "unknown_word groups[0].blocks[1].options.webhook.method",
    "unkept_answer groups[0].blocks[0]",
    "unknown_key groups[0].blocks[0].content",
    "unknown_key groups[0].blocks[0].options.labels.colour",
    "unknown_key groups[0].blocks[1].options.webhook.headers[0].note",
  ]);
});

test("the linter says nothing of the id of a reference cell, which older flows have", () => {
  const referenceCell = { id: "c", column: "Film", value: "{{Film}}" };
  const options = { action: "Get data from sheet", referenceCell };
  const blocks = [Object.assign({ id: "b", type: "Google Sheets" }, { options })];
  const unknown = lintFlow(completeFlow({ groups: [{ id: "g", blocks }] })).filter(
    ({ rule }) => rule === "unknown_key",
  );
  expect(unknown).toEqual([]);
});

test("the linter advises on mails in which visitors' words are HTML", () => {
  const mails = [
    { body: "<b>{{Name}}</b>", isBodyCode: true },
    { body: "<b>{{Name}}</b>", isBodyCode: true, isEscaped: false },
    { body: "<b>{{Name}}</b>" },
    { body: "<b>Hello</b>", isBodyCode: true },
  ];
  const blocks = mails.map((options, index) => Object.assign({ id: `m${index}`, type: "Email" }, { options }));
  const flow = completeFlow({ groups: [{ id: "g", blocks }] });
  expect(lintFlow(flow).flatMap(({ rule, path }) => (rule === "advice" ? [path] : []))).toEqual([
    "groups[0].blocks[0]",
  ]);
});

test("the linter advises on going back where integrations have acted by then", () => {
  const settings = { general: { isGoBackEnabled: true } };
  const flow = (type: string, more: object = {}) =>
    completeFlow({ groups: [{ id: "g", blocks: [{ id: "b", type }] }], settings, ...more });
  const advised = (...of: Parameters<typeof flow>) =>
    lintFlow(flow(...of)).flatMap(({ rule, path }) => (rule === "going_back_over_effects" ? [path] : []));
  expect(advised("Webhook")).toEqual(["settings.general.isGoBackEnabled"]);
  expect(advised("Webhook", { settings: {} })).toEqual([]);
  expect(advised("Condition")).toEqual([]);
});

test("the linter advises on payments for which no edge is drawn where they cannot be taken, and on one that leads nowhere", () => {
  const payment = (options: object) => ({ id: JSON.stringify(options), type: "payment input", options });
  const failure = (outgoingEdgeId: string) => ({ failure: { outgoingEdgeId, message: "By invoice, please." } });
  const flow = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    groups: [{ id: "g", blocks: [payment({}), payment(failure("e")), payment(failure("gone"))] }],
    edges: [{ id: "e", to: { groupId: "g" } }],
  });
  expect(lintFlow(flow).map(({ rule, path }) => [rule, path])).toEqual([
    ["unknown_edge", "groups[0].blocks[2].options.failure"],
    ["advice", "groups[0].blocks[0]"],
  ]);
});

test("nothing is said of a flow that is whole", () => {
  const blocks = [{ id: "b", type: "text" }];
  expect(told({ events: [start], groups: [{ id: "g", blocks }], edges: [toGroup] })).toEqual([]);
});
