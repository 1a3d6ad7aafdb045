import { textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { cleanText } from "../../core/interpreter/language/values.ts";
import { limits } from "../../limits/index.ts";

/** The message of a provider's error, at any place in the response. */
export function sentenceIn(text: string): string {
  return sentenceOf(parseJsonOr(text, text));
}

/** Like `sentenceIn`, for a parsed or thrown value. */
export function sentenceOf(given: unknown): string {
  // Gemini sends its errors in a list at the address that is compatible with OpenAI.
  const value: unknown = Array.isArray(given) ? given[0] : given;
  const found = [["error", "message"], ["error"], ["message"], ["msg"], ["detail", "message"], ["detail"]]
    .map((path) => textAt(value, ...path))
    .find((said) => said);
  const said = found ?? (typeof value === "string" ? value.replaceAll(/<[^>]*>/g, " ") : "");
  return cleanText(said).replaceAll(/\s+/g, " ").trim().slice(0, limits.credentials.sentenceCharacters);
}
