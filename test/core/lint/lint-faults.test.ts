import { expect, test } from "bun:test";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import type { PaymentFacts } from "../../../src/core/lint/facts.ts";
import { type LintOptions, lintFlow } from "../../../src/core/lint/lint.ts";
import { rules } from "../../../src/core/lint/rules.ts";
import { idOf } from "../../support/builder-ids.ts";

/** A fault in an otherwise correct flow, which its rule must find. `also` lists the only other findings. */
type Fault = {
  readonly name: string;
  readonly break: (flow: Broken) => void;
  readonly also?: readonly string[];
  readonly options?: LintOptions;
};

const text = (value: string) => ({ richText: [{ type: "p", children: [{ text: value }] }] });
const compares = (...comparisons: object[]) => ({ content: { logicalOperator: "AND", comparisons } });
const isAna = { id: "c", variableId: idOf("name"), comparisonOperator: "Equal to", value: "Ana" };
const isLong = { id: "d", variableId: idOf("name"), comparisonOperator: "Contains", value: "aaaaaaa" };

const strayFile = "https://chat.example.com/api/workspace-files/01h455vb4pex5vsknk084sn02q.png";

type Parts = Record<string, unknown>;

type Broken = {
  readonly blocks: Readonly<Record<string, Parts>>;
  readonly items: Parts[];
  readonly webhook: Parts;
  readonly events: Parts[];
  readonly groups: { id: string; blocks: unknown[] }[];
  readonly edges: { id: string; to: Parts }[];
  readonly variables: Parts[];
  readonly settings: Parts;
  readonly theme: Parts;
};

/** Adds a block that sends the result of an expression. */
function sets(flow: Broken, expressionToEvaluate: string): void {
  flow.variables.push({ id: idOf("sum"), name: "Sum" });
  greets(
    flow,
    block("s", "Set variable", { options: { variableId: idOf("sum"), expressionToEvaluate } }),
    block("t", "text", { content: text("{{Sum}}") }),
  );
}

function offers(flow: Broken, items: readonly object[], more: object = {}): void {
  const options = { variableId: idOf("name"), ...more };
  greets(flow, block("c", "choice input", { options, items: items.map((item, at) => ({ id: `one${at}`, ...item })) }));
}

/** Adds a request with a custom body. */
function custom(flow: Broken, body: string, headers: object[] = []): void {
  const options = { isCustomBody: true, webhook: { url: "https://api.example.com/x", body, headers } };
  greets(flow, block("h", "Webhook", { options }));
}

/** Adds a payment that continues by an edge if it cannot be made. */
function pays(flow: Broken, amount = "5"): void {
  const options = {
    credentialsId: "shop",
    amount,
    variableId: idOf("name"),
    failure: { outgoingEdgeId: "unpaid" },
  };
  greets(flow, block("p", "payment input", { options }));
  flow.edges.push({ id: "unpaid", to: { groupId: "ends" } });
}

function paysBy(shop: PaymentFacts): LintOptions {
  return { facts: { payments: new Map([["shop", shop]]) } };
}

const onTelegram: LintOptions = {
  facts: { channels: [{ name: "Telegram", text: 4_096, title: 64, items: 100 }] },
};

/** Enables messengers, and adds blocks. */
function onMessenger(flow: Broken, ...added: object[]): void {
  Object.assign(flow.settings, { messenger: { isEnabled: true } });
  greets(flow, ...added);
}

/** Returns a flow that asks, decides, calls and says goodbye. Each test breaks its own copy. */
function whole(): Broken {
  const webhook: Parts = { method: "POST", url: "https://example.com/leads" };
  const items: Parts[] = [
    { id: "is ana", outgoingEdgeId: "to ana", ...compares(isAna) },
    { id: "is long", outgoingEdgeId: "to end", ...compares(isLong) },
  ];
  const asked = { id: "ask", type: "text input", options: { variableId: idOf("name") } };
  const blocks: Record<string, Parts> = {
    hello: { id: "hello", type: "text", content: text("Hello") },
    ask: asked,
    choose: { id: "choose", type: "choice input", outgoingEdgeId: "to decide", items: [{ id: "go", content: "Go" }] },
    decide: { id: "decide", type: "Condition", items, outgoingEdgeId: "to call" },
    ana: { id: "ana", type: "text", content: text("{{Name}}!"), outgoingEdgeId: "ana to end" },
    call: { id: "call", type: "Webhook", options: { webhook }, outgoingEdgeId: "call to end" },
    bye: { id: "bye", type: "text", content: text("Goodbye, {{Name}}.") },
  };
  const { hello, choose, decide, ana, call, bye } = blocks;
  return {
    blocks,
    items,
    webhook,
    events: [{ id: "start", type: "start", outgoingEdgeId: "begin" }],
    groups: [
      { id: "asks", blocks: [hello, asked, choose] },
      { id: "decides", blocks: [decide] },
      { id: "praises", blocks: [ana] },
      { id: "calls", blocks: [call] },
      { id: "ends", blocks: [bye] },
    ],
    edges: [
      { id: "begin", to: { groupId: "asks" } },
      { id: "to decide", to: { groupId: "decides" } },
      { id: "to ana", to: { groupId: "praises" } },
      { id: "to call", to: { groupId: "calls" } },
      { id: "to end", to: { groupId: "ends" } },
      { id: "ana to end", to: { groupId: "ends" } },
      { id: "call to end", to: { groupId: "ends" } },
    ],
    variables: [{ id: idOf("name"), name: "Name" }],
    settings: {},
    theme: {},
  };
}

const block = (id: string, type: string, parts: object = {}) => ({ id, type, ...parts });
/** Inserts blocks after the greeting, which every visitor reaches. */
const greets = (flow: Broken, ...more: object[]) => flow.groups[0]?.blocks.splice(1, 0, ...more);
const assign = (target: object | undefined, parts: object) => Object.assign(target ?? {}, parts);

const faults: Record<string, Fault[]> = {
  no_start: [{ name: "no start event", break: (flow) => flow.events.pop(), also: ["unused_edge"] }],
  empty_bot: [
    {
      name: "a start without an edge",
      break: ({ events }) => assign(events[0], { outgoingEdgeId: null }),
      also: ["unused_edge"],
    },
  ],
  unknown_edge: [
    {
      name: "a missing edge of a block",
      break: ({ blocks }) => assign(blocks["ana"], { outgoingEdgeId: "gone" }),
      also: ["unused_edge"],
    },
    {
      name: "a missing edge of an item",
      break: ({ items }) => assign(items[1], { outgoingEdgeId: "gone" }),
      also: ["unused_edge"],
    },
  ],
  unknown_target: [
    { name: "an edge to a missing group", break: ({ edges }) => assign(edges[6]?.to, { groupId: "gone" }) },
  ],
  unknown_group: [
    {
      name: "a jump to a missing group",
      break: (flow) => greets(flow, block("j", "Jump", { options: { groupId: "gone" } })),
      also: ["always_breaks_off", "unreachable_group"],
    },
  ],
  all_blocks_skipped: [
    {
      name: "a start at a block of an unknown type",
      break: ({ groups }) => groups[0]?.blocks.splice(0, 3, block("h", "hologram")),
      also: ["unknown_block_type", "unreachable_group", "unused_edge"],
    },
    {
      name: "a start at a link to a missing bot",
      break: ({ groups }) =>
        groups[0]?.blocks.splice(0, 3, block("l", "Typebot link", { options: { typebotId: "other" } })),
      options: { facts: { linkedBots: new Map([["other", null]]) } },
      also: ["unknown_bot", "unreachable_group", "unused_edge"],
    },
  ],
  always_breaks_off: [
    {
      name: "a question without choices",
      break: ({ blocks }) => assign(blocks["choose"], { items: [] }),
      also: ["unreachable_group"],
    },
    {
      name: "a multiple choice without choices",
      break: ({ blocks }) => assign(blocks["choose"], { items: [], options: { isMultipleChoice: true } }),
      also: ["unreachable_group"],
    },
    {
      name: "a missing edge at the end of all paths",
      break: ({ blocks }) => assign(blocks["bye"], { outgoingEdgeId: "gone" }),
      also: ["unknown_edge"],
    },
    {
      name: "an endless loop after the questions",
      break: (flow) => {
        assign(flow.blocks["bye"], { outgoingEdgeId: "to end" });
      },
      also: ["loop_without_input"],
    },
  ],
  loop_without_input: [
    {
      name: "a block that leads back to its own group",
      break: ({ edges }) => assign(edges[6]?.to, { groupId: "calls" }),
    },
  ],
  unused_edge: [
    {
      name: "a second edge that nothing uses",
      break: ({ edges }) => edges.push({ to: { groupId: "asks" }, id: "twin" }),
    },
  ],
  missing_edge: [
    {
      name: "a command without an edge",
      break: ({ events }) => events.push({ id: "help", type: "command", options: { command: "help" } }),
    },
  ],
  empty_group: [
    { name: "a group without blocks", break: ({ groups }) => groups[2]?.blocks.pop(), also: ["unused_edge"] },
  ],
  unreachable_group: [
    {
      name: "a group without incoming edges",
      break: ({ groups }) => groups.push({ id: "alone", blocks: [block("alone b", "text")] }),
    },
    {
      name: "a group without incoming edges, in which one of two items has no edge",
      break: ({ groups }) => {
        const items = [
          { id: "is ana, alone", outgoingEdgeId: "to end", ...compares(isAna) },
          { id: "is long, alone", ...compares(isLong) },
        ];
        groups.push({ id: "alone", blocks: [block("alone b", "Condition", { items })] });
      },
    },
  ],
  dead_end: [
    {
      name: "a condition without an edge",
      break: ({ items }) => assign(items[1], { outgoingEdgeId: undefined }),
      also: ["unused_edge"],
    },
  ],
  condition_never_holds: [
    {
      name: "a condition without an operator",
      break: ({ items }) => assign(items[1], compares({ id: "d", variableId: idOf("name") })),
    },
  ],
  shadowed_condition: [
    {
      name: "a condition that repeats an earlier condition",
      break: ({ items }) => assign(items[1], compares(isAna, isLong)),
    },
  ],
  exploding_pattern: [
    {
      name: "a repeated repetition",
      break: ({ items }) =>
        assign(items[1], compares({ ...isLong, comparisonOperator: "Matches regex", value: "^(a+)+$" })),
    },
  ],
  unknown_block_type: [{ name: "an unknown block type", break: (flow) => greets(flow, block("h", "hologram")) }],
  unknown_bot: [
    {
      name: "a link to a missing bot",
      break: (flow) => greets(flow, block("l", "Typebot link", { options: { typebotId: "other" } })),
      options: { facts: { linkedBots: new Map([["other", null]]) } },
    },
  ],
  credentials_missing: [
    {
      name: "credentials that are not in the workspace",
      break: (flow) =>
        greets(flow, block("m", "Email", { options: { credentialsId: "theirs", recipients: ["a@example.com"] } })),
      options: { facts: { credentials: new Map([["ours", "smtp"]]) } },
    },
    {
      name: "credentials of another type",
      break: (flow) =>
        greets(flow, block("m", "Email", { options: { credentialsId: "ours", recipients: ["a@example.com"] } })),
      options: { facts: { credentials: new Map([["ours", "openai"]]) } },
    },
  ],
  secret_missing: [
    {
      name: "a secret that is not in the workspace, twice in a text",
      break: ({ webhook }) => assign(webhook, { body: "{{secret.THEIRS}} {{secret.OURS}} {{secret.THEIRS}}" }),
      options: { facts: { secrets: new Set(["OURS"]) } },
    },
  ],
  file_missing: [
    {
      name: "a deleted picture",
      break: (flow) => greets(flow, block("p", "image", { content: { url: strayFile } })),
      options: { facts: { missingFiles: new Set([strayFile]) } },
    },
    {
      name: "a deleted avatar of the theme",
      break: ({ theme }) => assign(theme, { chat: { hostAvatar: { isEnabled: true, url: strayFile } } }),
      options: { facts: { missingFiles: new Set([strayFile]) } },
    },
    {
      name: "a deleted picture of the settings",
      break: ({ settings }) => assign(settings, { metadata: { imageUrl: strayFile } }),
      options: { facts: { missingFiles: new Set([strayFile]) } },
    },
  ],
  unknown_connection: [
    {
      name: "a messenger with a missing connection",
      break: ({ settings }) => assign(settings, { messenger: { isEnabled: true } }),
      options: { facts: { isConnectionUnknown: true } },
    },
  ],
  channel_unsupported: [
    {
      name: "a script for the page",
      break: (flow) => onMessenger(flow, block("k", "Code", { options: { content: "alert(1)" } })),
      options: onTelegram,
    },
    {
      name: "an event for the page's analytics",
      break: (flow) => onMessenger(flow, block("k", "Google Analytics", { options: { trackingId: "G-1" } })),
      options: onTelegram,
    },
    {
      name: "the device type of a visitor",
      break: (flow) => {
        flow.variables.push({ id: idOf("device"), name: "Device" });
        const options = { variableId: idOf("device"), type: "Device type" };
        onMessenger(flow, block("k", "Set variable", { options }), block("t", "text", { content: text("{{Device}}") }));
      },
      options: onTelegram,
    },
    {
      name: "an embedded page that the chat waits for",
      break: (flow) => {
        const waitForEvent = { isEnabled: true, name: "done" };
        onMessenger(flow, block("k", "embed", { content: { url: "https://example.com/map", waitForEvent } }));
      },
      options: onTelegram,
    },
    {
      name: "an animated picture",
      break: (flow) => onMessenger(flow, block("k", "image", { content: { url: "https://example.com/cat.GIF?a=1" } })),
      options: onTelegram,
    },
    {
      name: "a text that is too long",
      break: (flow) => onMessenger(flow, block("k", "text", { content: text("x".repeat(4_097)) })),
      options: onTelegram,
    },
    {
      name: "more choices than the messenger shows",
      break: (flow) => {
        const items = Array.from({ length: 101 }, (_, index) => ({ content: `Tea ${index}` }));
        Object.assign(flow.settings, { messenger: { isEnabled: true } });
        offers(flow, items);
      },
      options: onTelegram,
    },
    {
      name: "a title that is too long",
      break: (flow) => {
        Object.assign(flow.settings, { messenger: { isEnabled: true } });
        offers(flow, [{ content: "x".repeat(65) }]);
      },
      options: onTelegram,
    },
    {
      name: "head code",
      break: ({ settings }) =>
        assign(settings, { messenger: { isEnabled: true }, metadata: { customHeadCode: "<script>1</script>" } }),
      options: onTelegram,
    },
  ],
  proxy_missing: [
    {
      name: "a proxy that is not in the workspace",
      break: ({ blocks, webhook }) => assign(blocks["call"], { options: { webhook, proxyCredentialsId: "theirs" } }),
      options: { facts: { credentials: new Map([["ours", "http proxy"]]) } },
    },
    {
      name: "credentials that are not a proxy",
      break: ({ blocks, webhook }) => assign(blocks["call"], { options: { webhook, proxyCredentialsId: "ours" } }),
      options: { facts: { credentials: new Map([["ours", "smtp"]]) } },
    },
    {
      name: "a proxy for a request of the visitor's browser",
      break: ({ blocks, webhook }) =>
        assign(blocks["call"], { options: { webhook, isExecutedOnClient: true, proxyCredentialsId: "ours" } }),
      options: { facts: { credentials: new Map([["ours", "http proxy"]]) } },
    },
  ],
  client_request_over_http: [
    {
      name: "a request of the visitor's browser over http",
      break: ({ blocks }) =>
        assign(blocks["call"], { options: { isExecutedOnClient: true, webhook: { url: "http://api.example.com/x" } } }),
    },
    {
      name: "a request to the visitor's own machine",
      break: ({ blocks }) =>
        assign(blocks["call"], {
          options: { isExecutedOnClient: true, webhook: { url: "http://localhost:4000/{{Name}}" } },
        }),
    },
  ],
  identity_from_visitor: [
    {
      name: "an id that the visitor typed",
      break: (flow) => {
        const options = { action: "Open Web Widget", webWidgetKey: "key", userId: "nr-{{Name}}" };
        flow.groups[0]?.blocks.splice(2, 0, block("z", "zendesk", { options }));
      },
    },
  ],
  amount_from_visitor: [
    {
      name: "a price that the page's address can prefill",
      break: (flow) => {
        flow.variables.push({ id: idOf("price"), name: "Price", value: "5" });
        pays(flow, "{{Price}}");
      },
    },
  ],
  unknown_variable: [
    {
      name: "a misspelt name of a variable",
      break: ({ blocks }) => assign(blocks["bye"], { content: text("Goodbye, {{name}}.") }),
    },
    {
      name: "a missing variable",
      break: ({ blocks }) => assign(blocks["ask"], { options: { variableId: idOf("gone") } }),
    },
  ],
  read_before_written: [
    {
      name: "a value that is read before it is written",
      break: (flow) => {
        flow.variables.push({ id: idOf("town"), name: "Town" });
        greets(
          flow,
          block("t", "text", { content: text("In {{Town}}?") }),
          block("w", "text input", { options: { variableId: idOf("town") } }),
        );
      },
    },
  ],
  expression_fails: [
    {
      name: "a missing operand",
      break: (flow) => sets(flow, "{{Name}}.length +"),
    },
    {
      name: "an unclosed bracket",
      break: (flow) => sets(flow, "Math.round({{Name}}.length / 2"),
    },
    {
      name: "an unclosed quote",
      break: (flow) => sets(flow, '"Hi " + {{Name}} + "!'),
    },
    {
      name: "a variable without its braces",
      break: (flow) => sets(flow, "{{Name}}.length + Name"),
    },
    {
      name: "an undefined name",
      break: (flow) => sets(flow, "{{Name}}.length * bonus"),
    },
    {
      name: "a template literal that contains only a variable",
      break: (flow) => sets(flow, "`$\u{7b}{{Name}}}!`"),
    },
    {
      name: "a variable within quotes",
      break: (flow) => sets(flow, '"Hello {{Name}}"'),
    },
    {
      name: "commas between variables",
      break: (flow) => sets(flow, "{{Name}}, {{Name}}"),
    },
  ],
  refused_address: [
    {
      name: "the address of the local machine",
      break: ({ webhook }) => assign(webhook, { url: "http://127.0.0.1/admin" }),
    },
  ],
  without_address: [{ name: "a request without an address", break: ({ webhook }) => assign(webhook, { url: "" }) }],
  equal_item_texts: [
    {
      name: "two buttons with one label",
      break: (flow) => offers(flow, [{ content: "Other" }, { content: "Other " }]),
    },
    {
      name: "a value that equals the label of another item",
      break: (flow) => offers(flow, [{ content: "Not at all", value: "No" }, { content: "No" }]),
    },
    {
      name: "labels of a multiple choice that differ only in case",
      break: (flow) => offers(flow, [{ content: "US" }, { content: "us" }], { isMultipleChoice: true }),
    },
  ],
  equal_group_titles: [
    {
      name: "a jump by title to a title of two groups",
      break: (flow) => {
        assign(flow.groups[1], { title: "Twice" });
        assign(flow.groups[2], { title: "Twice" });
        greets(flow, block("j", "Jump", { options: { groupId: "{{Name}}" } }));
      },
    },
  ],
  body_not_json: [
    {
      name: "a superfluous comma",
      break: (flow) => custom(flow, '{ "name": "{{Name}}", }'),
    },
    {
      name: "a text with a JSON content type",
      break: (flow) => custom(flow, "name={{Name}}", [{ key: "content-type", value: "application/json" }]),
    },
  ],
  duplicate_item_id: [
    {
      name: "two items with one id",
      break: ({ blocks }) =>
        assign(blocks["choose"], {
          items: [
            { id: "go", content: "Go" },
            { id: "go", content: "Stay" },
          ],
        }),
      also: ["unkept_answer"],
    },
  ],
  advice: [
    {
      name: "a payment without credentials and an amount",
      break: (flow) => greets(flow, block("p", "payment input", { options: {} })),
      also: ["always_breaks_off"],
    },
    ...[
      ["no model", { action: "Create chat completion", credentialsId: "ours" }] as const,
      ["no credentials", { action: "Create chat completion", model: "any" }] as const,
      ["an assistant", { action: "Ask Assistant", credentialsId: "ours", model: "any" }] as const,
    ].map(([name, options]) => ({
      name: `a model block with ${name}`,
      break: (flow: Broken) => greets(flow, block("m", "openai", { options })),
    })),
  ],
  payment_test_keys: [
    {
      name: "test keys in a live bot",
      break: (flow) => pays(flow),
      options: paysBy({ isTest: true, hasWebhook: true }),
    },
  ],
  payment_without_webhook: [
    {
      name: "a provider without a webhook",
      break: (flow) => pays(flow),
      options: paysBy({ isTest: false, hasWebhook: false }),
    },
  ],
  payment_dead_end: [
    {
      name: "a payment without an edge for unavailable payments",
      break: (flow) => greets(flow, block("p", "payment input", { options: { credentialsId: "shop", amount: "5" } })),
    },
  ],
  going_back_over_effects: [
    {
      name: "going back over a call",
      break: ({ settings }) => assign(settings, { general: { isGoBackEnabled: true } }),
    },
  ],
  timeout_in_loop: [
    {
      name: "a time-out that repeats a question endlessly",
      break({ blocks, edges }) {
        const timeout = { after: 60, outgoingEdgeId: "again" };
        assign(blocks["ask"], { options: { variableId: idOf("name"), timeout } });
        edges.push({ id: "again", to: { groupId: "asks" } });
      },
    },
  ],
  unkept_answer: [
    { name: "a question whose answer is not stored", break: (flow) => greets(flow, block("q", "email input")) },
  ],
  unknown_word: [{ name: "a method that does not exist", break: ({ webhook }) => assign(webhook, { method: "GO" }) }],
  unknown_key: [
    {
      name: "an unknown key",
      break: ({ blocks }) => assign(blocks["ask"], { options: { variableId: idOf("name"), colour: "red" } }),
    },
  ],
  head_code_needs: [
    {
      name: "a member of the previous element that pages lack",
      break: ({ settings }) =>
        assign(settings, {
          metadata: {
            customHeadCode:
              "<script>document.querySelector('typebot-standard').shadowRoot.querySelector('a');document.querySelector('typebot-standard').shadowRoot.getElementById('x')</script>",
          },
        }),
    },
  ],
  unmatched_selectors: [
    {
      name: "a rule for an element that pages do not have",
      break: ({ theme }) =>
        assign(theme, { customCss: ".typebot-host-bubble, .typebot-robot > .flex { color: red } .mine {}" }),
    },
  ],
  drawn_messages: [
    {
      name: "a style sheet that draws messages",
      break: ({ theme }) => assign(theme, { customCss: ".typebot-host-bubble { background: red }" }),
    },
  ],
  low_contrast: [
    {
      name: "grey on grey",
      break: ({ theme }) => assign(theme, { chat: { hostBubbles: { backgroundColor: "#cccccc", color: "#bbbbbb" } } }),
    },
  ],
};

function rulesFor(broken: Broken, options?: LintOptions): string[] {
  const { blocks, items, webhook, ...flow } = broken;
  return [...new Set(lintFlow(completeFlow(readFlowParts(flow, "bot")), options).map(({ rule }) => rule))];
}

test("every rule has an example of a faulty flow", () => {
  expect(Object.keys(faults).sort()).toEqual(rules.map(({ name }) => name).sort());
});

for (const [rule, ways] of Object.entries(faults)) {
  for (const fault of ways) {
    test(`${rule} finds ${fault.name}, and nothing in the correct flow`, () => {
      const broken = whole();
      fault.break(broken);
      expect(rulesFor(broken, fault.options).sort()).toEqual([rule, ...(fault.also ?? [])].sort());
      expect(rulesFor(whole(), fault.options)).toEqual([]);
    });
  }
}
