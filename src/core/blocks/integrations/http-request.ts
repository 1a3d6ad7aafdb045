import { limits } from "../../../limits/index.ts";
import { defineHttpBlock } from "./http-request-block.ts";

export const httpRequest = defineHttpBlock({
  type: "Webhook",
  schemaName: "HttpRequest",
  summary:
    "Sends an HTTP request, from here or from the visitor's client, and writes parts of the answer to variables.",
  seconds: limits.outgoing.httpSeconds,
  mapsClientAnswer: true,
  editor: {
    name: "HTTP request",
    icon: "globe",
    words: ["webhook", "api", "rest", "fetch", "call", "json"],
    row: ["{options.webhook.method} {options.webhook.url:address}"],
    related: ["Zapier", "Make.com", "Pabbly"],
  },
  examples: [
    {
      title: "The visitor's client sends the request and reports the answer; values are safe in the JSON.",
      block: {
        options: {
          isExecutedOnClient: true,
          isCustomBody: true,
          webhook: {
            url: "https://api.example.com/users/{{Id}}",
            headers: [{ id: "h", key: "Authorization", value: "Basic user:pa:ss" }],
            queryParams: [{ id: "q", key: "city", value: "{{City}}" }],
            body: '{ "name": "{{Name}}" }',
          },
          responseVariableMapping: [{ id: "m", variableId: "v_Score", bodyPath: "data.scores.at(-1)" }],
        },
      },
      variables: { Id: "7", City: "Le Mans", Name: 'Ana "A."', Score: null },
      reply: '{ "statusCode": 200, "data": { "scores": [3, 5] } }',
      expect: { variables: { Score: "5" } },
    },
    {
      title: "The request that the client sends.",
      block: {
        options: {
          isExecutedOnClient: true,
          webhook: { url: "https://api.example.com/users", headers: [{ id: "h", key: "X-Key", value: "{{Key}}" }] },
        },
      },
      variables: { Key: "k1", Colours: ["red", "blue"] },
      expect: {
        actions: [
          {
            type: "httpRequestToExecute",
            httpRequestToExecute: {
              url: "https://api.example.com/users",
              method: "POST",
              headers: { "X-Key": "k1", "Content-Type": "application/json" },
              body: { submittedAt: "2024-05-31T09:41:30.123Z", Key: "k1", Colours: "red,blue" },
            },
            expectsDedicatedReply: true,
          },
        ],
      },
    },
    {
      title: "A block without a request does nothing.",
      block: { options: {} },
      expect: { actions: [], messages: [] },
    },
  ],
});
