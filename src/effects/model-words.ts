import { isJsonObject, type JsonObject } from "../interpreter/flow.ts";

/** In which language a server speaks: chat completions, Anthropic's messages, or OpenAI's responses. */
export type ModelLanguage = "chat" | "messages" | "responses";

/** The words of an event that says nothing else; undefined for any other, also where it has a field that nobody knows. */
export const wordsIn: Readonly<Record<ModelLanguage, (event: JsonObject) => string | undefined>> = {
  chat(event) {
    const { choices, id, created, model } = event;
    if (!hasOnly(event, chatFields) || !isNothing(event["usage"])) return undefined;
    if (!isTextOrNothing(id) || !isTextOrNothing(model)) return undefined;
    if (!isNothing(created) && typeof created !== "number") return undefined;
    const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
    if (!isJsonObject(choice) || choice["index"] !== 0 || !hasOnly(choice, choiceFields)) return undefined;
    if (!isNothing(choice["finish_reason"]) || !isNothing(choice["logprobs"])) return undefined;
    const { delta } = choice;
    if (!isJsonObject(delta) || !hasOnly(delta, deltaFields)) return undefined;
    const { content, role, refusal, tool_calls: called } = delta;
    const isWords = isNothing(refusal) && isNothing(called) && (isNothing(role) || role === "assistant");
    return isWords && typeof content === "string" ? content : undefined;
  },
  messages(event) {
    const { type, index, delta } = event;
    if (type !== "content_block_delta" || typeof index !== "number" || !hasOnly(event, blockFields)) return undefined;
    if (!isJsonObject(delta) || delta["type"] !== "text_delta" || !hasOnly(delta, textFields)) return undefined;
    const { text } = delta;
    return typeof text === "string" ? text : undefined;
  },
  responses(event) {
    const { type, item_id: item, output_index: index, delta, logprobs } = event;
    if (type !== "response.output_text.delta" || typeof item !== "string" || !hasOnly(event, outputFields)) return;
    if (!isNothing(index) && typeof index !== "number") return undefined;
    const hasLogprobs = !isNothing(logprobs) && !(Array.isArray(logprobs) && logprobs.length === 0);
    return !hasLogprobs && typeof delta === "string" ? delta : undefined;
  },
};

const chatFields = fields("id object created model choices usage service_tier system_fingerprint obfuscation");
const choiceFields = fields("index delta finish_reason logprobs");
const deltaFields = fields("content role refusal tool_calls");
const blockFields = fields("type index delta");
const textFields = fields("type text");
const outputFields = fields("type sequence_number item_id output_index content_index delta logprobs obfuscation");

function fields(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

function hasOnly(value: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name in value) if (!known.has(name)) return false;
  return true;
}

function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isTextOrNothing(value: unknown): boolean {
  return isNothing(value) || typeof value === "string";
}
