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
    "A bot that a messenger asks does something that the messenger cannot: it runs scripts, waits for a page, or offers more than can be shown. What the messenger shows in another way is an info: a long title, a long text, a payment, a picture of a format that it does not draw. Only blocks that chats come to are reported, and only if messengers are switched on in the settings.",
  advice: "Do it on the server, or give contacts of messengers another way.",
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
    message: "Messengers have no page: head code and tag managers do nothing there.",
    advice: "Count there by the results, or by events of the service.",
  };
}

/** Block types that work only in a browser. */
const onPages: ReadonlySet<string> = new Set(["Google Analytics", "Pixel", "Chatwoot", "zendesk"]);

function* lostIn({ block }: LintedBlock, { registry }: LintedFlow, channels: readonly ChannelFacts[]): Iterable<Lost> {
  const { type, options, content } = block;
  if (type === "Code" && registry.get(type)?.runsOnClient?.(block) && textAt(options, "content")) {
    yield {
      message: "Messengers pass this script over: it runs in the visitor's browser.",
      advice: "Run it on the server.",
    };
  }
  if (onPages.has(type)) {
    yield {
      severity: "info",
      message: "Messengers pass this block over: it needs a browser.",
      advice: "Nothing has to be done if only visitors of the page are counted or helped by it.",
    };
  }
  if (type === "Set variable" && textAt(options, "type") === "Device type") {
    yield {
      severity: "info",
      message: "Nobody knows the device of a messenger's contact: the variable is cleared there.",
      advice: "Lead an empty value somewhere.",
    };
  }
  if (type === "cal-com" || (type === "embed" && valueAt(content, "waitForEvent", "isEnabled") === true)) {
    yield { message: "Messengers do not wait for what happens in an embedded page: the flow goes on at once." };
  }
  if (type === "payment input") {
    yield {
      severity: "info",
      message: "On messengers a button opens the page of this payment.",
      advice: "Try a payment there once.",
    };
  }
  if (type === "image" && /\.(?:gif|svg)(?:[?#]|$)/i.test(textAt(content, "url") ?? "")) {
    yield {
      severity: "info",
      message: "Messengers draw no GIF or SVG as a picture: it comes as a file or as an address.",
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
      message: `${name} takes ${text} characters at a time: this text comes in several messages.`,
      advice: "Nothing has to be done if that reads well.",
    };
  }
  const offered = choices.has(type) && Array.isArray(items) ? items.filter(isJsonObject) : [];
  if (offered.length > most) {
    yield {
      message: `${name} shows the first ${most} of these items: the others can only be typed.`,
      advice: "Offer fewer, or ask a question before.",
    };
  }
  const titles = offered.map((item) => textAt(item, "content") ?? textAt(item, "title") ?? "");
  if (titles.some((one) => !one.includes("{{") && one.trim().length > title)) {
    yield {
      severity: "info",
      message: `${name} cuts titles of buttons after ${title} characters.`,
      advice: "Say it in the text above, and keep the titles short.",
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
