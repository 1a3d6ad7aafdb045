import { isJsonObject, textAt, valueAt } from "../../interpreter/flow.ts";

/** Formats texts as a numbered list with one text per line. */
export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}

/**
 * Returns the texts of a list in a client's input. Each element is either a string or an object with the text in
 * `member`.
 */
export function shownTexts(list: unknown, member: string): string[] {
  return Array.isArray(list) ? list.map((one) => (isJsonObject(one) ? (textAt(one, member) ?? "") : String(one))) : [];
}

/** Returns the labels of a text field: an example as the placeholder, and the button label that the author chose. */
export function exampleLabels(shown: unknown, placeholder: string) {
  const button = textAt(valueAt(shown, "options"), "labels", "button");
  return { labels: { placeholder, ...(button !== undefined && { button }) } };
}
