import { type MappedResponse, mapResponse } from "../../interpreter/evaluation/expression.ts";
import { isJsonObject } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import { defineLogic } from "../../interpreter/program/block.ts";
import { blockSchema, option } from "../options.ts";

const schema = blockSchema({
  responseVariableMapping: option.responseMapping("Values that variables take from the call."),
});

export const listenWebhook = defineLogic({
  type: "webhook",
  schemaName: "ListenWebhook",
  summary:
    "Waits until another program calls, and takes variables from what it sends: `data` of a JSON body, or a body of text as a whole.",
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
  examples: [
    {
      title: "The client listens, and the flow waits.",
      block: { options: {} },
      expect: { actions: [{ type: "listenForWebhook", expectsDedicatedReply: true }] },
    },
    {
      title: "A JSON body has its data mapped.",
      block: { options: { responseVariableMapping: [{ variableId: "v_Seat", bodyPath: "data.seats[0].number" }] } },
      variables: { Seat: null },
      reply: '{"data":{"seats":[{"number":12}]}}',
      expect: { variables: { Seat: "12" } },
    },
    {
      title: "A body of text is the data.",
      block: { options: { responseVariableMapping: [{ variableId: "v_Word", bodyPath: "data.toUpperCase()" }] } },
      variables: { Word: null },
      reply: "done",
      expect: { variables: { Word: "DONE" } },
    },
  ],
});

function responseOf(body: string): MappedResponse {
  const json = parseUntrustedJson(body);
  if (!json) return { statusCode: 200, data: body };
  if (!isJsonObject(json.value)) return { statusCode: undefined, data: undefined };
  return { statusCode: json.value["statusCode"], data: json.value["data"] };
}
