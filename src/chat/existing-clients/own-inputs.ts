import { textMessage } from "../../core/interpreter/evaluation/text-content.ts";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";

/**
 * Inputs that only our own clients know. An existing client is asked with what it knows: a text field below a numbered list, answered
 * with numbers, or a file field. The blocks take such replies from every client.
 */
const known = new Map<string, (input: JsonObject) => Known>([
  ["ranking input", ranking],
  ["matrix input", matrix],
]);

type Known = { readonly list?: string; readonly type: string; readonly labels: JsonObject };

const pattern = /"type":"(?:ranking|matrix) input"/;

/** Whether a response, as JSON text, asks with such an input. Most do not, which saves parsing them. */
export function hasOwnInput(response: string): boolean {
  return pattern.test(response);
}

/** The same response, as JSON text, with an input that an existing client knows. */
export function withKnownInput(response: string): string {
  if (!hasOwnInput(response)) return response;
  const parsed: unknown = JSON.parse(response);
  const input = valueAt(parsed, "input");
  const make = known.get(textAt(input, "type") ?? "");
  if (!make || !isJsonObject(parsed) || !isJsonObject(input)) return response;
  const { list, type, labels } = make(input);
  const messages = Array.isArray(parsed["messages"]) ? parsed["messages"] : [];
  const isMarkdown = messages.some((message) => textAt(message, "content", "type") === "markdown");
  const bubble = list ? [textMessage(textAt(input, "id") ?? "", list, isMarkdown ? "markdown" : "richText")] : [];
  const { items: _, options, type: __, ...rest } = input;
  const button = valueAt(options, "labels", "button");
  return JSON.stringify({
    ...parsed,
    messages: [...messages, ...bubble],
    input: { ...rest, type, options: { labels: { ...labels, ...(button !== undefined && { button }) } } },
  });
}

function ranking({ items }: JsonObject): Known {
  const texts = listOf(items).map((item) => textAt(item, "content") ?? "");
  const example = texts.map((_, index) => index + 1).join(", ");
  return { list: numbered(texts), type: "text input", labels: { placeholder: example } };
}

function matrix({ options }: JsonObject): Known {
  const columns = listOf(valueAt(options, "columns")).map(String);
  const rows = listOf(valueAt(options, "rows")).map((row) => textAt(row, "title") ?? "");
  const list = `${numbered(columns)}\n\n${rows.join("\n")}`;
  return { list, type: "text input", labels: { placeholder: rows.map(() => "1").join(", ") } };
}

function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
