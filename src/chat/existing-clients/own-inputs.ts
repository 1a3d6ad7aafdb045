import { blocks } from "../../core/blocks/index.ts";
import { textMessage } from "../../core/interpreter/evaluation/text-content.ts";
import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { isInputMessage } from "../../core/interpreter/program/outcome.ts";

const ownTypes = [...blocks.values()].flatMap(({ type, input }) => (input?.asKnown ? [RegExp.escape(type)] : []));

/**
 * Finds responses, as JSON texts, that may ask with an input that only our own clients know. Most do not, which saves
 * parsing them.
 */
export const ownInput = new RegExp(`"type":"(?:${ownTypes.join("|")})"`);

/** The same response, as JSON text, with an input that an existing client knows. */
export function withKnownInput(response: string): string {
  if (!ownInput.test(response)) return response;
  const parsed: unknown = JSON.parse(response);
  const input = valueAt(parsed, "input");
  if (!isJsonObject(parsed) || !isInputMessage(input)) return response;
  const known = blocks.get(input.type)?.input?.asKnown?.(input);
  if (!known) return response;
  const messages = Array.isArray(parsed["messages"]) ? parsed["messages"] : [];
  const isMarkdown = messages.some((message) => textAt(message, "content", "type") === "markdown");
  const { id, outgoingEdgeId } = input;
  const said = known.said ? [textMessage(id, known.said, isMarkdown ? "markdown" : "richText")] : [];
  return JSON.stringify({
    ...parsed,
    messages: [...messages, ...said],
    input: {
      ...{ id, ...(outgoingEdgeId !== undefined && { outgoingEdgeId }) },
      ...{ type: known.type, ...(known.options && { options: known.options }) },
    },
  });
}
