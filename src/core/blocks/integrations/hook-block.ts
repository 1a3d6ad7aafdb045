import { limits } from "../../../limits/index.ts";
import type { BlockDefinition } from "../../interpreter/program/block.ts";
import type { BlockEditor } from "../../interpreter/program/block-editor.ts";
import { defineHttpBlock } from "./http-request-block.ts";

/** Defines a block that calls the webhook of an automation service. `url` appears in the examples. */
export function defineHookBlock({
  type,
  url,
  editor,
}: {
  readonly type: string;
  readonly url: string;
  readonly editor: Pick<BlockEditor, "name" | "icon" | "words">;
}): BlockDefinition {
  return defineHttpBlock({
    type,
    summary: `Sends all answers and variables to ${type}, and waits for the response, as the \`Webhook\` block does.`,
    seconds: limits.outgoing.maxHttpSeconds,
    mapsClientAnswer: false,
    editor: {
      ...editor,
      row: ["{options.webhook.url:address}"],
      related: ["Webhook", "Zapier", "Make.com", "Pabbly"].filter((one) => one !== type),
    },
    examples: [
      {
        title: "All answers and variables are sent, from the visitor's client if the author chose this.",
        block: { options: { isExecutedOnClient: true, webhook: { url } } },
        variables: { Name: "Ana" },
        expect: {
          actions: [
            {
              type: "httpRequestToExecute",
              httpRequestToExecute: {
                url,
                method: "POST",
                body: { submittedAt: "2024-05-31T09:41:30.123Z", Name: "Ana" },
              },
              expectsDedicatedReply: true,
            },
          ],
        },
      },
      {
        title: "The block has no effect until it has a URL.",
        block: { options: {} },
        expect: { actions: [], messages: [] },
      },
    ],
  });
}
