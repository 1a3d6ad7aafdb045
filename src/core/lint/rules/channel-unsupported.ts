import { type FlowBlock, isJsonObject, textAt, valueAt } from "../../interpreter/flow.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import { SettingsSchema } from "../../interpreter/schemas/settings.ts";
import { type ChannelFacts, type LintedBlock, placeIn } from "../facts.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Found, Rule } from "../rule.ts";

export const channelUnsupported: Rule = {
  name: "channel_unsupported",
  severity: "warning",
  about:
    "A bot that answers on a messenger uses a feature that the messenger does not support: it runs scripts, waits for a page, or offers more choices than can be shown. The finding is only an info if the messenger shows the content in a different form: a long title, a long text, a payment, or an image in a format that the messenger cannot display. Findings about head code, the device type, and blocks that only serve the page, such as `Pixel`, are also infos. The rule reports only blocks that chats reach, and only if messengers are switched on in the settings.",
  advice: "Replace the block, or add a separate path for messengers.",
  needsWorkspace: true,
  *find(linted) {
    const { flow, facts, blocks, graph } = linted;
    const channels = facts.channels ?? [];
    if (channels.length === 0 || valueAt(flow.settings, "whatsApp", "isEnabled") !== true) return;
    yield* inHead(linted);
    for (const one of blocks) {
      if (!graph.reachable.has(one.node)) continue;
      for (const { at, ...lost } of lostIn(one, linted, channels)) yield { ...placeIn(one, at), ...lost };
    }
  },
};

type Lost = Pick<Found, "message" | "severity" | "advice"> & { readonly at?: string };

function* inHead({ flow }: LintedFlow): Iterable<Found> {
  const { customHeadCode, googleTagManagerId } = readKnown(SettingsSchema, flow.settings)?.metadata ?? {};
  if (!customHeadCode?.trim() && !googleTagManagerId) return;
  yield {
    path: "settings.metadata",
    severity: "info",
    message: "Messengers have no page, so head code and tag managers have no effect there.",
    advice: "Use results or events of the service to count contacts of messengers.",
  };
}

/** Block types that work only in a browser. */
const onPages: ReadonlySet<string> = new Set(["Google Analytics", "Pixel", "Chatwoot", "zendesk"]);

function* lostIn({ block }: LintedBlock, { registry }: LintedFlow, channels: readonly ChannelFacts[]): Iterable<Lost> {
  const { type, options, content } = block;
  if (type === "Code" && registry.get(type)?.runsOnClient?.(block) && textAt(options, "content")) {
    yield {
      message: "Messengers skip this script, because it runs in the visitor's browser.",
      advice: "Run it on the server.",
    };
  }
  if (onPages.has(type)) {
    yield {
      severity: "info",
      message: "Messengers skip this block, because it needs a browser.",
      advice: "You do not need to change anything if the block only counts or helps visitors of the page.",
    };
  }
  if (type === "Set variable" && textAt(options, "type") === "Device type") {
    yield {
      severity: "info",
      message: "The device of a messenger's contact is unknown, so the variable is cleared there.",
      advice: "Add a path for an empty value.",
    };
  }
  if (type === "cal-com" || (type === "embed" && valueAt(content, "waitForEvent", "isEnabled") === true)) {
    yield { message: "Messengers do not wait for events of an embedded page: the flow continues immediately." };
  }
  if (type === "payment input") {
    yield {
      severity: "info",
      message: "In messengers, a button opens the page of this payment.",
      advice: "Test a payment in the messenger.",
    };
  }
  if (type === "image" && /\.(?:gif|svg)(?:[?#]|$)/i.test(textAt(content, "url") ?? "")) {
    yield {
      severity: "info",
      message: "Messengers do not display GIF or SVG as an image: contacts get a file or a link.",
      advice: "Use PNG or JPEG.",
      at: "content.url",
    };
  }
  for (const channel of channels) yield* beyond(block, channel);
}

/** Yields texts and choices that exceed a messenger's limits. */
function* beyond(
  { type, content, items }: FlowBlock,
  { name, text, title, items: most }: ChannelFacts,
): Iterable<Lost> {
  const said = type === "text" ? lengthOf(valueAt(content, "richText")) : 0;
  if (said > text) {
    yield {
      severity: "info",
      message: `${name} allows ${text} characters in a message: this text is sent as several messages.`,
      advice: "You do not need to change anything if the messages read well.",
    };
  }
  const offered = choices.has(type) && Array.isArray(items) ? items.filter(isJsonObject) : [];
  if (offered.length > most) {
    yield {
      message: `${name} shows only the first ${most} of these items: contacts must type the others.`,
      advice: "Offer fewer items, or narrow them down with an earlier question.",
    };
  }
  const titles = offered.map((item) => textAt(item, "content") ?? textAt(item, "title") ?? "");
  if (titles.some((one) => !one.includes("{{") && one.trim().length > title)) {
    yield {
      severity: "info",
      message: `${name} truncates button titles after ${title} characters.`,
      advice: "Put details into the text above the buttons, and keep the titles short.",
      at: "items",
    };
  }
}

const choices: ReadonlySet<string> = new Set(["choice input", "picture choice input", "cards"]);

/** Returns the number of characters in stored rich text. Values of variables are unknown and not counted. */
function lengthOf(nodes: unknown): number {
  if (Array.isArray(nodes)) return nodes.reduce((sum: number, node: unknown) => sum + lengthOf(node), 0);
  return (textAt(nodes, "text") ?? "").length + (isJsonObject(nodes) ? lengthOf(nodes["children"] ?? []) : 0);
}
