import type { FieldSchema } from "../schema.ts";

/**
 * What a field's description says to who fills it in: ids are chosen by name, and what the field depends on is seen by
 * its being there. The help that would only say the label again is left out.
 */
export function helpOf({ description = "", title = "", shownWhen }: FieldSchema): string {
  const alone = shownWhen ? description.replace(/^`[^:]*`(, `[^`]*`)*( with `[^`]*`)?: /, "") : description;
  const named = alone
    .replace(/^id of (?=(the|a) )/i, "")
    .replace(/^[tT]he variable that holds the id of /, "The variable with the id of ");
  const text = named.charAt(0).toUpperCase() + named.slice(1);
  return bare(text) === bare(title) || bare(text) === `whether${bare(title)}` ? "" : text;
}

/** Letters alone. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
