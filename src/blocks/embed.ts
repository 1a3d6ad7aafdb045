import { Type } from "@sinclair/typebox";
import { defineBlock } from "../interpreter/block.ts";
import { parseJsonOr } from "../interpreter/json.ts";
import { numberOrVariable, readNumberOrVariable } from "../interpreter/schema.ts";

const schema = Type.Object({
  content: Type.Optional(
    Type.Object({
      url: Type.Optional(Type.String()),
      height: Type.Optional(numberOrVariable),
      waitForEvent: Type.Optional(
        Type.Object({
          isEnabled: Type.Optional(Type.Boolean()),
          name: Type.Optional(Type.String()),
          saveDataInVariableId: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
});

/** A frame with another page; the flow may wait for an event of that page. */
export const embed = defineBlock({
  type: "embed",
  family: "bubble",
  summary: "Shows another page in a frame, and may wait until that page sends an event.",
  schema,
  run({ id, type, content }, view) {
    if (!content) return { kind: "next" };
    const { height, url, waitForEvent } = content;
    const shownHeight = readNumberOrVariable(typeof height === "string" ? view.text(height) : height);
    const shown = {
      ...(url !== undefined && { url: view.text(url) }),
      ...(shownHeight !== undefined && { height: shownHeight }),
      ...(waitForEvent && { waitForEvent: view.deep(waitForEvent) }),
    };
    const messages = [{ id, type, content: shown }];
    return waitForEvent?.isEnabled ? { kind: "pause", for: "embed", messages } : { kind: "next", messages };
  },
  resume({ content }, _view, reply) {
    const variableId = content?.waitForEvent?.saveDataInVariableId;
    if (reply?.type !== "text" || variableId === undefined) return { kind: "next" };
    return { kind: "next", writes: [{ variableId, value: parseJsonOr(reply.text, reply.text) }] };
  },
  examples: [
    {
      title: "The height may be a variable.",
      block: { content: { url: "https://example.com/map?q={{City}}", height: "{{H}}" } },
      variables: { City: "Lyon", H: "250" },
      expect: { messages: [{ type: "embed", content: { url: "https://example.com/map?q=Lyon", height: 250 } }] },
    },
    {
      title: "The event's data goes into a variable.",
      block: {
        content: {
          url: "https://example.com",
          waitForEvent: { isEnabled: true, name: "done", saveDataInVariableId: "v_Data" },
        },
      },
      variables: { Data: null },
      reply: '{"seat":12}',
      expect: { variables: { Data: '{"seat":12}' } },
    },
  ],
});
