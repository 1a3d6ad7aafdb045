import { isJsonObject, textAt, valueAt } from "../../interpreter/flow.ts";

/** Texts as a numbered list, one a line. */
export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}

/** The texts of a list in a client's input: the elements themselves, or a member of each. */
export function shownTexts(list: unknown, member: string): string[] {
  return Array.isArray(list) ? list.map((one) => (isJsonObject(one) ? (textAt(one, member) ?? "") : String(one))) : [];
}

/** The words of a field of text: an example of what to type, and the author's button. */
export function exampleLabels(shown: unknown, placeholder: string) {
  const button = textAt(valueAt(shown, "options"), "labels", "button");
  return { labels: { placeholder, ...(button !== undefined && { button }) } };
}
