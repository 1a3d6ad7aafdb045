import { type MappedResponse, mapResponse } from "../../interpreter/evaluation/expression.ts";
import { isJsonObject } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import { defineLogic } from "../../interpreter/program/block.ts";
import { blockSchema, option } from "../options.ts";
import examples from "./examples.json";

const schema = blockSchema({
  responseVariableMapping: option.responseMapping("Parts of the call to save in variables."),
});

export const listenWebhook = defineLogic({
  type: "webhook",
  schemaName: "ListenWebhook",
  summary:
    "Waits until another program calls, and saves parts of the call in variables: from `data` in a JSON body, or from the whole body if it is text.",
  schema,
  takesTimeout: true,
  isLookedFor: true,
  run: () => ({ kind: "pause", actions: [{ type: "listenForWebhook", expectsDedicatedReply: true }] }),
  resume({ options }, view, reply) {
    if (reply?.type !== "text") return { kind: "next" };
    return { kind: "next", writes: mapResponse(options?.responseVariableMapping ?? [], responseOf(reply.text), view) };
  },
  ways: () => ({ waits: true, ways: [{ kind: "on" }] }),
  editor: {
    name: "Wait for a call",
    icon: "webhook",
    words: ["webhook", "listen", "callback", "event", "pause"],
    row: ["Until another program calls"],
    related: ["Webhook"],
  },
  examples: examples["webhook"],
});

function responseOf(body: string): MappedResponse {
  const json = parseUntrustedJson(body);
  if (!json) return { statusCode: 200, data: body };
  if (!isJsonObject(json.value)) return { statusCode: undefined, data: undefined };
  return { statusCode: json.value["statusCode"], data: json.value["data"] };
}
