import { textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { cleanText } from "../../core/interpreter/language/values.ts";
import { limits } from "../../limits/index.ts";

/**
 * Returns the error message in a provider's response. For a response that is plain text or HTML, this is the text
 * without tags. Empty if there is no message.
 */
export function sentenceIn(text: string): string {
  return sentenceOf(parseJsonOr(text, text));
}

/** Like `sentenceIn`, but for a parsed or thrown value. */
export function sentenceOf(given: unknown): string {
  // Gemini's OpenAI-compatible API sends its errors in a list.
  const value: unknown = Array.isArray(given) ? given[0] : given;
  const found = [["error", "message"], ["error"], ["message"], ["msg"], ["detail", "message"], ["detail"]]
    .map((path) => textAt(value, ...path))
    .find((said) => said);
  const said = found ?? (typeof value === "string" ? value.replaceAll(/<[^>]*>/g, " ") : "");
  return cleanText(said).replaceAll(/\s+/g, " ").trim().slice(0, limits.credentials.sentenceCharacters);
}
