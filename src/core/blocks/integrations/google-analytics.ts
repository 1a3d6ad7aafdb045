import { isJsonObject } from "../../interpreter/flow.ts";
import { renderDeep } from "../../interpreter/language/template.ts";
import { defineIntegration } from "../../interpreter/program/block.ts";
import { continueAfter } from "../../interpreter/program/outcome.ts";
import { readNumberOrVariable } from "../../interpreter/schemas/schema.ts";
import { advanced, blockSchema, helped, marked, option, titled } from "../options.ts";
import examples from "./examples.json";

const schema = blockSchema({
  trackingId: marked(
    { title: "Google tag", help: "Id of the tag, such as `G-AB12CD34`." },
    option.text("Id of the Google tag. The first tag in a flow is loaded when a chat starts."),
  ),
  category: option.text("Category of the event."),
  action: titled("Event", option.text("Name of the event.")),
  label: option.text("Label of the event."),
  value: option.numberOrVariable("Value of the event."),
  sendTo: advanced(
    helped(
      "Id of one tag, if the page has several tags.",
      option.text("Id of the tag for the event, if there are several tags."),
    ),
  ),
});

export const googleAnalytics = defineIntegration({
  type: "Google Analytics",
  summary: "Sends an event from the visitor's client to Google Analytics. Only in live chats.",
  schema,
  startProps: ({ options }) => (options?.trackingId ? { googleAnalyticsId: options.trackingId } : {}),
  run(block, view) {
    if (!block.options || !view.isLive) return continueAfter(block);
    const { value: written, ...words } = block.options;
    const described = { ...words, value: readNumberOrVariable(written) };
    const event = renderDeep(described, view.templates, { removeEmptyStrings: true, guessTypes: true });
    return { ...continueAfter(block), actions: [{ type: "googleAnalytics", googleAnalytics: withNumber(event) }] };
  },
  editor: {
    name: "Google Analytics",
    icon: "chart-line",
    words: ["tracking", "event", "ga4", "gtag", "statistics"],
    row: ["{options.action}", "{options.trackingId}"],
    related: ["Pixel"],
  },
  examples: examples["Google Analytics"],
});

/**
 * Returns the event with a numeric `value`, which may come from a variable. A value that is not a number is removed.
 */
function withNumber(event: unknown): Record<string, unknown> {
  const { value, ...words } = isJsonObject(event) ? event : {};
  const number = typeof value === "number" || typeof value === "string" ? readNumberOrVariable(value) : undefined;
  return { ...words, ...(typeof number === "number" && { value: number }) };
}
