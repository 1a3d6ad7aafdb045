import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../../../../core/interpreter/flow.ts";
import { call } from "../../api/index.ts";
import type { SuppliedFlow } from "../../preview/index.tsx";

export type CheckedReply =
  | { readonly kind: "taken"; readonly answer: string }
  /** `said`: the bot's response. */
  | { readonly kind: "refused"; readonly said: string };

/** Checks a reply to an input in a preview of a small flow with this input, see `flowToCheck`. */
export async function checkReply(
  botId: string,
  { draft, block, reply }: { readonly draft: DraftDocument; readonly block: JsonObject; readonly reply: string },
): Promise<CheckedReply> {
  const { sessionId } = await call("POST /api/v1/bots/:botId/preview/startChat", {
    path: { botId },
    body: { bot: flowToCheck(draft, block) },
  });
  const { messages, input } = await call("POST /api/v1/sessions/:sessionId/continueChat", {
    path: { sessionId },
    body: { message: { type: "text", text: reply } },
  });
  if (textAt(input, "id") === nextId) return { kind: "taken", answer: textAt(input, "prefilledValue") ?? "" };
  return { kind: "refused", said: messages.map(({ content }) => textAt(content, "plainText") ?? "").join("\n") };
}

const answerId = "checked-answer";
const nextId = "next";

/**
 * Returns a flow with the input, followed by a second input that shows the stored answer unchanged. The flow contains
 * the draft's variables, because the input's rules may refer to them.
 */
export function flowToCheck(draft: DraftDocument, block: JsonObject): SuppliedFlow {
  // The copy has the type of the API. The block may contain anything, because the service validates it.
  const flow: SuppliedFlow = JSON.parse(JSON.stringify(flowOf(draft, block)));
  return flow;
}

function flowOf({ variables, settings }: DraftDocument, block: JsonObject): object {
  const { outgoingEdgeId: _, ...input } = block;
  const options = isJsonObject(input["options"]) ? input["options"] : {};
  const names = new Set(variables.map(({ name }) => name));
  let name = "Answer";
  while (names.has(name)) name += "_";
  const general = valueAt(settings, "general");
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "to-input", graphCoordinates: { x: 0, y: 0 } }],
    groups: [
      {
        id: "group",
        title: "",
        graphCoordinates: { x: 0, y: 0 },
        blocks: [
          { ...input, id: "input", options: { ...options, variableId: answerId } },
          { id: nextId, type: "text input", options: { variableId: answerId } },
        ],
      },
    ],
    edges: [{ id: "to-input", from: { eventId: "start" }, to: { groupId: "group" } }],
    variables: [...variables, { id: answerId, name }],
    ...(isJsonObject(general) && { settings: { general: { language: general["language"] } } }),
  };
}
