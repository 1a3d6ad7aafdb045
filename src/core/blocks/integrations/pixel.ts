import { isJsonObject } from "../../interpreter/flow.ts";
import { renderDeep } from "../../interpreter/language/template.ts";
import { defineIntegration } from "../../interpreter/program/block.ts";
import { continueAfter } from "../../interpreter/program/outcome.ts";
import { blockSchema, helped, marked, option, shownWhen, titled } from "../options.ts";
import examples from "./examples.json";

const eventTypes =
  `Custom Lead Contact CompleteRegistration Schedule SubmitApplication ViewContent AddPaymentInfo AddToCart
  AddToWishlist CustomizeProduct Donate FindLocation InitiateCheckout Purchase Search StartTrial Subscribe`.split(
    /\s+/,
  );

const schema = blockSchema({
  pixelId: helped("Id of the pixel at Meta.", option.text("Id of the pixel. Without an id, nothing is sent.")),
  isInitSkip: marked(
    { title: "Already loaded by the page", isAdvanced: true, help: "The chat does not load the pixel again." },
    option.flag("Whether the page has already loaded the pixel, so that the chat does not load it."),
  ),
  eventType: titled(
    "Event",
    option.word(eventTypes, "The event. Without an event, the pixel is loaded but nothing is sent."),
  ),
  name: shownWhen({ eventType: ["Custom"] }, option.text("Name of a `Custom` event.")),
  params: marked(
    { title: "Parameters", widget: "pairs" },
    option.list("Parameters of the event.", {
      id: option.text("Id of the parameter."),
      key: option.text("Name of the parameter."),
      value: option.text("Value of the parameter."),
    }),
  ),
});

export const pixel = defineIntegration({
  type: "Pixel",
  summary: "Sends an event from the visitor's client to a Meta pixel. Only in live chats.",
  schema,
  startProps: ({ options }) => (options?.pixelId && !options.isInitSkip ? { pixelIds: [options.pixelId] } : {}),
  run(block, view) {
    const { pixelId, ...event } = block.options ?? {};
    if (!view.isLive || !pixelId || !event.eventType) return continueAfter(block);
    const rendered = renderDeep(event, view.templates, { removeEmptyStrings: true, guessTypes: true });
    const sent = { pixelId, ...(isJsonObject(rendered) && rendered) };
    return { ...continueAfter(block), actions: [{ type: "pixel", pixel: sent }] };
  },
  editor: {
    name: "Meta Pixel",
    icon: "radar",
    words: ["facebook", "meta", "instagram", "tracking", "event", "ads"],
    row: ["{options.eventType}", "{options.pixelId}"],
    related: ["Google Analytics"],
  },
  examples: examples["Pixel"],
});
