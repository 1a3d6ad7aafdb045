import { limits } from "../../limits.ts";
import { defineHttpBlock } from "./http-request-block.ts";

/** A request that starts a workflow at Pabbly. */
export const pabbly = defineHttpBlock({
  type: "Pabbly",
  summary: "Sends what the flow knows to Pabbly and waits for the answer, as the `Webhook` block does.",
  seconds: limits.outgoing.maxHttpSeconds,
  mapsClientAnswer: false,
  examples: [
    {
      title: "All answers and variables are sent, from the visitor's client where the author wants it so.",
      block: {
        options: {
          isExecutedOnClient: true,
          webhook: { url: "https://connect.pabbly.com/workflow/sendwebhookdata/abc" },
        },
      },
      variables: { Name: "Ana" },
      expect: {
        actions: [
          {
            type: "httpRequestToExecute",
            httpRequestToExecute: {
              url: "https://connect.pabbly.com/workflow/sendwebhookdata/abc",
              method: "POST",
              body: { submittedAt: "2024-05-31T09:41:30.123Z", Name: "Ana" },
            },
            expectsDedicatedReply: true,
          },
        ],
      },
    },
    {
      title: "Until an address is known the block does nothing.",
      block: { options: {} },
      expect: { actions: [], messages: [] },
    },
  ],
});
