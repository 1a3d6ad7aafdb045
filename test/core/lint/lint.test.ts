import { expect, test } from "bun:test";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { type LintOptions, lintFlow } from "../../../src/core/lint/lint.ts";
import { idOf } from "../../support/builder-ids.ts";

const start = { id: "s", type: "start", outgoingEdgeId: "e" };
const toGroup = { id: "e", to: { groupId: "g" } };

/** Returns the rule, severity and path of every finding. */
function told(flow: Parameters<typeof completeFlow>[0], options: LintOptions = {}): string[] {
  return lintFlow(completeFlow(flow), options).map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
}

test("a missing edge that chats reach is a warning", () => {
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
    "warning always_breaks_off groups[0].blocks[1]",
    "warning unknown_edge groups[0].blocks[1]",
    "warning unreachable_group groups[1]",
    "info unknown_edge groups[1].blocks[0]",
    "info unknown_target edges[1]",
    "info unknown_target edges[2]",
  ]);
});

test("the linter reports an item id that occurs twice", () => {
  const items = [{ id: "i" }, { id: "k" }];
  const choice = (id: string, its: object[]) => Object.assign({ id, type: "choice input" }, { items: its });
  const blocks = [choice("a", [...items, { id: "i" }]), choice("b", [{ id: "k" }])];
  const flow = { events: [start], edges: [toGroup], groups: [{ id: "g", blocks }] };
  expect(told(flow).filter((line) => line.includes("duplicate"))).toEqual([
    "warning duplicate_item_id groups[0].blocks[0].items[2]",
    "info duplicate_item_id groups[0].blocks[1].items[0]",
  ]);
});

test("the linter reports unknown block types, keys and values", () => {
  const options = { labels: { button: "Go", colour: "red" }, inputMode: "shout", mood: null };
  const block = Object.assign({ id: "a", type: "text input" }, { options, content: { html: "x" } });
  const headers = [{ id: "h", key: "X", value: "y", note: "z" }];
  const request = Object.assign(
    { id: "b", type: "Webhook" },
    { options: { webhook: { url: "https://example.com", method: "GO", headers } } },
  );
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

test("the linter does not report the id of a reference cell", () => {
  const referenceCell = { id: "c", column: "Film", value: "{{Film}}" };
  const options = { action: "Get data from sheet", referenceCell };
  const blocks = [Object.assign({ id: "b", type: "Google Sheets" }, { options })];
  const unknown = lintFlow(completeFlow({ groups: [{ id: "g", blocks }] })).filter(
    ({ rule }) => rule === "unknown_key",
  );
  expect(unknown).toEqual([]);
});

test("the linter warns about mails that contain visitors' texts as HTML", () => {
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

test("the linter warns about going back if the flow has a block with effects", () => {
  const settings = { general: { isGoBackEnabled: true } };
  const flow = (type: string, more: object = {}) =>
    completeFlow({ groups: [{ id: "g", blocks: [{ id: "b", type }] }], settings, ...more });
  const advised = (...of: Parameters<typeof flow>) =>
    lintFlow(flow(...of)).flatMap(({ rule, path }) => (rule === "going_back_over_effects" ? [path] : []));
  expect(advised("Webhook")).toEqual(["settings.general.isGoBackEnabled"]);
  expect(advised("Webhook", { settings: {} })).toEqual([]);
  expect(advised("Condition")).toEqual([]);
  const said = (type: string) =>
    lintFlow(flow(type)).flatMap(({ rule, message }) => (rule === "going_back_over_effects" ? [message] : []));
  expect(said("webhook")).toEqual([expect.stringContaining("keeps calls of other programs")]);
  expect(said("payment input")).toEqual([expect.stringContaining("cancels an open payment")]);
});

test("the linter warns about time-outs that loop endlessly", () => {
  const asks = (id: string, outgoingEdgeId?: string) => ({
    ...{ id, type: "text input" },
    options: { timeout: { after: 60, ...(outgoingEdgeId !== undefined && { outgoingEdgeId }) } },
  });
  const advised = (behind: { id: string; type: string; [key: string]: unknown }) => {
    const flow = completeFlow({
      events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
      groups: [
        { id: "g", blocks: [asks("first", "late")] },
        { id: "late", blocks: [behind] },
      ],
      edges: [
        { id: "e", from: { eventId: "s" }, to: { groupId: "g" } },
        { id: "late", from: { blockId: "first" }, to: { groupId: "late" } },
        { id: "back", from: { blockId: "second" }, to: { groupId: "g" } },
      ],
    });
    return lintFlow(flow).flatMap(({ rule, path }) => (rule === "timeout_in_loop" ? [path] : []));
  };
  const first = "groups[0].blocks[0].options.timeout";
  expect(advised({ id: "second", type: "text", outgoingEdgeId: "back" })).toEqual([first]);
  expect(advised(asks("second", "back"))).toEqual([first, "groups[1].blocks[0].options.timeout"]);
  expect(advised({ id: "second", type: "number input", outgoingEdgeId: "back" })).toEqual([]);
  expect(advised({ id: "other", type: "Condition", items: [{ id: "i", outgoingEdgeId: "back" }] })).toEqual([]);
  expect(advised(asks("second"))).toEqual([]);
});

test("a workspace's proxy and a user id that no input asks for are not reported", () => {
  const request = { webhook: { url: "https://example.com/leads" }, proxyCredentialsId: "ours" };
  const widget = { action: "Open Web Widget", webWidgetKey: "{{Typed}}", userId: "{{Number}}", name: "{{Typed}}" };
  const flow = {
    ...{ events: [start], edges: [toGroup] },
    variables: [
      { id: idOf("typed"), name: "Typed" },
      { id: idOf("number"), name: "Number" },
    ],
    groups: [
      {
        id: "g",
        blocks: [
          { id: "asks", type: "text input", options: { variableId: idOf("typed") } },
          {
            id: "calls",
            type: "Webhook",
            options: { ...request, responseVariableMapping: [{ variableId: idOf("number") }] },
          },
          { id: "shows", type: "zendesk", options: widget },
        ],
      },
    ],
  };
  const facts = { credentials: new Map([["ours", "http proxy"]]) };
  expect(told(flow, { facts })).toEqual([]);
});

test("the linter reports payments without a setting for failures", () => {
  const payment = (options: object) => ({ id: JSON.stringify(options), type: "payment input", options });
  const failure = (outgoingEdgeId: string) => ({ failure: { outgoingEdgeId, message: "By invoice, please." } });
  const skipped = { failure: { isSkipOffered: true } };
  const flow = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    groups: [{ id: "g", blocks: [payment({}), payment(failure("e")), payment(failure("gone")), payment(skipped)] }],
    edges: [{ id: "e", to: { groupId: "g" } }],
  });
  expect(lintFlow(flow).map(({ rule, path }) => [rule, path])).toEqual([
    ["always_breaks_off", "groups[0].blocks[0]"],
    ["unknown_edge", "groups[0].blocks[2].options.failure"],
    ["advice", "groups[0].blocks[0]"],
  ]);
});

test("a flow without faults has no finding", () => {
  const blocks = [{ id: "b", type: "text" }];
  expect(told({ events: [start], groups: [{ id: "g", blocks }], edges: [toGroup] })).toEqual([]);
});

const says = (id: string, outgoingEdgeId?: string) => ({ id, type: "text", ...(outgoingEdgeId && { outgoingEdgeId }) });
const choice = (id: string, ...targets: readonly (string | undefined)[]) => ({
  ...{ id, type: "choice input" },
  items: targets.map((outgoingEdgeId, index) => ({ id: `${id}${index}`, content: `${index}`, outgoingEdgeId })),
});
const splits = (id: string, ...targets: readonly (string | undefined)[]) => ({
  ...choice(id, ...targets),
  type: "Condition",
  items: targets.map((outgoingEdgeId, index) => ({
    ...{ id: `${id}${index}`, outgoingEdgeId },
    content: {
      comparisons: [{ id: `${id}c${index}`, variableId: idOf("v"), comparisonOperator: "Equal to", value: `${index}` }],
    },
  })),
});
const toFirst = { id: "s", type: "start", outgoingEdgeId: "g" };
/** Returns a flow with the groups `g`, `h` …. Each has an incoming edge of the same name. */
function flowOf(blocks: Readonly<Record<string, readonly object[]>>, parts: object = {}) {
  const flow = {
    events: [toFirst],
    edges: Object.keys(blocks).map((id) => ({ id, to: { groupId: id } })),
    groups: Object.entries(blocks).map(([id, list]) => ({ id, title: id, blocks: list })),
    variables: [{ id: idOf("v"), name: "V" }],
    ...parts,
  };
  return readFlowParts(flow, "bot");
}
const toldOf = (wanted: string, ...of: Parameters<typeof told>) =>
  told(...of).filter((line) => line.includes(` ${wanted} `));

test("an endless loop that every chat enters is an error", () => {
  const loop = { h: [says("h1"), says("h2", "h")] };
  const found = (severity: string) => [`${severity} loop_without_input groups[1].blocks[0]`];
  expect(told(flowOf({ g: [says("g1", "h")], ...loop }))).toEqual(found("error"));
  expect(toldOf("loop_without_input", flowOf({ g: [splits("g1", "h"), says("g2", "h")], ...loop }))).toEqual(
    found("error"),
  );
  expect(toldOf("loop_without_input", flowOf({ g: [splits("g1", "h"), says("g2")], ...loop }))).toEqual(
    found("warning"),
  );
  expect(toldOf("loop_without_input", flowOf({ g: [choice("g1", "h")], ...loop }))).toEqual(found("warning"));
});

test("a flow without a successful end gets one finding, which is listed first", () => {
  const every = ["warning always_breaks_off groups[0].blocks[0]"];
  const breaksOff = (...of: Parameters<typeof told>) => toldOf("always_breaks_off", ...of);
  const payment = { id: "p", type: "payment input" };
  expect(breaksOff(flowOf({ g: [says("g1", "gone")] }))).toEqual(every);
  const both = flowOf({ g: [choice("g1", "h", "i")], h: [says("h1", "gone")], i: [payment, says("i2")] });
  expect(breaksOff(both)).toEqual(["warning always_breaks_off groups[1].blocks[0]"]);
  const partly = flowOf({ g: [choice("g1", "gone", "h")], h: [payment] });
  for (const [flow, message] of [
    [flowOf({ g: [payment] }), "Every chat ends at this block: it requests a payment without credentials."],
    [
      both,
      "Every chat ends at a block that cannot work, such as this one: its edge or the edge's target does not exist.",
    ],
    [
      partly,
      "Every chat ends at a block that cannot work, such as this one: it requests a payment without credentials.",
    ],
  ] as const)
    expect(lintFlow(completeFlow(flow))[0]?.message).toBe(message);
  const [unknown] = told(flowOf({ g: [{ id: "h", type: "hologram" }, says("t", "gone")] }));
  expect(unknown).toStartWith("warning always_breaks_off");
  const failure = { ...payment, options: { failure: { outgoingEdgeId: "h" } } };
  expect(breaksOff(flowOf({ g: [failure], h: [says("h1", "gone")] }))).toHaveLength(1);
  expect(breaksOff(flowOf({ g: [failure], h: [says("h1")] }))).toEqual([]);
});

test("a missing successful end is not reported if a chat may succeed", () => {
  const groups = { g: [choice("g1", "gone")] };
  const broken = flowOf(groups);
  const breaksOff = (...of: Parameters<typeof told>) => toldOf("always_breaks_off", ...of).length;
  expect(breaksOff(broken)).toBe(1);
  expect(breaksOff(flowOf({ g: [choice("g1", "gone", undefined)] }))).toBe(0);
  expect(breaksOff(flowOf({ g: [choice("g1", "h", "g")], h: [says("h1", "gone")] }))).toBe(0);
  expect(breaksOff(broken, { facts: { linkedFrom: [{ groupId: null }] } })).toBe(0);
  expect(breaksOff(broken, { facts: { linkedFrom: [] } })).toBe(1);
  const command = { id: "c", type: "command", outgoingEdgeId: "g", options: { command: "x" } };
  expect(breaksOff(flowOf(groups, { events: [toFirst, command] }))).toBe(0);
  const itself = { id: "l", type: "Typebot link", options: { typebotId: "current", groupId: "g" } };
  expect(breaksOff(flowOf({ g: [choice("g1", "h"), itself], h: [says("h1", "gone")] }))).toBe(0);
  expect(breaksOff(flowOf({ g: [says("g1", "gone")], h: [itself] }))).toBe(0);
});

test("the rule about skipped blocks applies only if chats reach no other block", () => {
  const hologram = (id: string, outgoingEdgeId?: string) => ({ ...says(id, outgoingEdgeId), type: "hologram" });
  const skipped = (...of: Parameters<typeof told>) => toldOf("all_blocks_skipped", ...of).length;
  expect(skipped(flowOf({ g: [hologram("g1", "h")], h: [hologram("h1")], i: [says("i1")] }))).toBe(1);
  expect(skipped(flowOf({ g: [hologram("g1", "h")], h: [says("h1")] }))).toBe(0);
  const link = { id: "l", type: "Typebot link", options: { typebotId: "other" } };
  const linkedBots = (groups: { groupIds: ReadonlySet<string> } | null) => ({
    linkedBots: new Map([["other", groups]]),
  });
  expect(skipped(flowOf({ g: [link, hologram("h")] }), { facts: linkedBots(null) })).toBe(1);
  expect(skipped(flowOf({ g: [link, hologram("h")] }), { facts: linkedBots({ groupIds: new Set() }) })).toBe(0);
  expect(skipped(flowOf({ g: [link, hologram("h")] }))).toBe(0);
});

test("a dead end of a condition after a message is only an info finding", () => {
  const ends = (...of: Parameters<typeof told>) => toldOf("dead_end", ...of);
  const silent = ["warning dead_end groups[0].blocks[1].items[0]"];
  const sets = { id: "g0", type: "Set variable" };
  const spoken = ["info dead_end groups[0].blocks[2].items[0]"];
  expect(ends(flowOf({ g: [sets, splits("g1", undefined), says("g2")] }))).toEqual(silent);
  expect(ends(flowOf({ g: [says("g0"), { ...sets, id: "x" }, splits("g1", undefined), says("g2")] }))).toEqual(spoken);
  expect(ends(flowOf({ g: [choice("q", "g", undefined), splits("g1", undefined), says("g2")] }))).toEqual(silent);
  expect(ends(flowOf({ g: [says("g0"), choice("q", "g", undefined), splits("g1", undefined), says("g2")] }))).toEqual([
    "warning dead_end groups[0].blocks[2].items[0]",
  ]);
  const fromTwo = { g: [splits("g1", "i"), says("g2", "i")], i: [splits("i1", undefined), says("i2")] };
  expect(ends(flowOf(fromTwo))).toEqual(["warning dead_end groups[1].blocks[0].items[0]"]);
  expect(ends(flowOf({ ...fromTwo, g: [says("g1", "i")] }))).toEqual(["info dead_end groups[1].blocks[0].items[0]"]);
});

test("several dead ends of one block are one finding, which lists the choices", () => {
  const message = (...of: Parameters<typeof flowOf>) =>
    lintFlow(completeFlow(flowOf(...of))).flatMap(({ rule, path, message }) =>
      rule === "dead_end" ? [`${path} ${message}`] : [],
    );
  expect(message({ g: [says("g0"), choice("q", "g", undefined, undefined)] })).toEqual([
    'groups[0].blocks[1] If a visitor chooses "1" / "2", the chat ends without another message.',
  ]);
  expect(message({ g: [splits("q", undefined, undefined), says("g1")] })).toEqual([
    "groups[0].blocks[0] If one of its conditions is true, the chat ends without a message.",
  ]);
});

test("only the first of connected unreachable groups is reported", () => {
  const lost = { g: [says("g1")], h: [says("h1", "i")], i: [says("i1", "gone")] };
  expect(told(flowOf(lost)).filter((line) => !line.includes("unused"))).toEqual([
    "warning unreachable_group groups[1]",
    "info unknown_edge groups[2].blocks[0]",
  ]);
  const found = (...of: Parameters<typeof flowOf>) => toldOf("unreachable_group", flowOf(...of));
  expect(found({ ...lost, k: [says("k1", "l")], l: [says("l1", "k")] })).toEqual([
    "warning unreachable_group groups[1]",
    "warning unreachable_group groups[3]",
  ]);
  expect(found({ g: [says("g1")], h: [says("h1"), says("h2", "h")] })).toEqual(["warning unreachable_group groups[1]"]);
});

test("low contrast is not a finding if the author's own CSS colours the element", () => {
  const grey = { backgroundColor: "#cccccc", color: "#bbbbbb" };
  const messages = (customCss: string): unknown[] =>
    toldOf("low_contrast", flowOf({ g: [says("g1")] }, { theme: { chat: { hostBubbles: grey }, customCss } }));
  for (const css of [
    ".typebot-host-bubble { color: #000 !important }",
    ".typebot-host-bubble > .bubble-typing { background: #fff }",
    "@media print { .typebot-host-bubble { background: #fff } }",
    ".typebot-container { & .typebot-host-bubble { color: #000 } }",
  ]) {
    expect([css, messages(css)]).toEqual([css, []]);
  }
  for (const css of [
    "",
    ".typebot-host-bubble { padding: 4px }",
    ".typebot-guest-bubble { color: #000 }",
    "/* .typebot-host-bubble { color: #000 } */",
    '.a::after { content: ".typebot-host-bubble { color: #000 }" }',
  ]) {
    expect([css, messages(css)]).toEqual([css, ["warning low_contrast theme.chat.hostBubbles.color"]]);
  }
});

test("low contrast in several colours is one finding", () => {
  const grey = { backgroundColor: "#cccccc", color: "#bbbbbb" };
  const flow = flowOf(
    { g: [says("g1")] },
    { theme: { chat: { hostBubbles: grey, guestBubbles: grey, inputs: grey } } },
  );
  const [found, ...others] = lintFlow(completeFlow(flow));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ rule: "low_contrast", path: "theme.chat.hostBubbles.color" });
  expect(found?.message).toEndWith(
    "Contrast is also too low for: `theme.chat.guestBubbles.color`, `theme.chat.inputs.color`.",
  );
  const theme = { chat: { guestBubbles: grey }, customCss: ".typebot-host-bubble { color: #fff }" };
  const drawn = { light: { hostBubbles: { color: "#ffffff", behind: "#ffffff" } } };
  const messages = lintFlow(completeFlow({ ...flow, theme }), { facts: { drawn } }).map(({ message }) => message);
  expect(messages).toEqual([
    expect.stringMatching(/^#bbbbbb on #cccccc .* Contrast is also too low for: `\.typebot-host-bubble`\.$/),
  ]);
});
