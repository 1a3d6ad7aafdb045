import { limits } from "../../../limits/index.ts";
import examples from "./examples.json";
import { defineHttpBlock } from "./http-request-block.ts";

export const httpRequest = defineHttpBlock({
  type: "Webhook",
  schemaName: "HttpRequest",
  summary:
    "Sends an HTTP request, from the server or from the visitor's client, and saves parts of the response in variables.",
  seconds: limits.outgoing.httpSeconds,
  mapsClientAnswer: true,
  editor: {
    name: "HTTP request",
    icon: "globe",
    words: ["webhook", "api", "rest", "fetch", "call", "json"],
    row: ["{options.webhook.method} {options.webhook.url:address}"],
    related: ["Zapier", "Make.com", "Pabbly"],
  },
  examples: examples["Webhook"],
});
