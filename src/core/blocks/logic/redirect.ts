import { type BlockBase, defineLogic } from "../../interpreter/program/block.ts";
import { continueAfter, type Outcome } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { blockSchema, helped, option, titled } from "../options.ts";
import examples from "./examples.json";

const schema = blockSchema({
  url: helped(
    "Can also begin with `mailto:`, `tel:` or `sms:`.",
    option.address(
      "Address to open. `https://` is added unless the address begins with `http`, `mailto:`, `tel:` or `sms:`. Without an address, the block has no effect.",
    ),
  ),
  isNewTab: titled("In a new tab", option.flag("Whether the address opens in a new tab.")),
});

export const redirect = defineLogic({
  type: "Redirect",
  summary: "Sends the visitor's browser to another address. The flow continues immediately.",
  schema,
  run(block, view) {
    const { url, isNewTab } = block.options ?? {};
    return url ? redirectTo(block, { url, ...(isNewTab !== undefined && { isNewTab }) }, view) : continueAfter(block);
  },
  editor: {
    name: "Redirect",
    icon: "external-link",
    words: ["link", "url", "leave", "website", "open page", "tab"],
    row: ["{options.url:address}"],
    related: [],
  },
  examples: examples["Redirect"],
});

/** Opens a URL in the visitor's browser and continues the flow. */
export function redirectTo(
  block: BlockBase,
  { url, ...how }: { readonly url: string; readonly isNewTab?: boolean },
  view: View,
): Outcome {
  const redirect = { url: withScheme(view.text(url)), ...how };
  return { ...continueAfter(block), actions: [{ type: "redirect", redirect }] };
}

function withScheme(url: string): string {
  return /^(http|mailto:|tel:|sms:|\{\{.*\}\})/.test(url) ? url : `https://${url}`;
}
