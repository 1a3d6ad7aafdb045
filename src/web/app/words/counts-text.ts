import partWords from "./en/part.json";
import { currentWords, language } from "./language.ts";

type Nouns = Readonly<Partial<Record<"group" | "block" | "event" | "variable" | "theme" | "settings", number>>>;

/** Joins parts into a text such as "1 group, 3 blocks and the theme". */
function together(parts: readonly string[]): string {
  return new Intl.ListFormat(language.value, { type: "conjunction" }).format(parts);
}

/** Joins the parts into a sentence. Empty parts are skipped. */
function sentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join("; ");
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

type Counts = Readonly<Record<"added" | "changed" | "moved" | "removed", Nouns>>;

/** Summarises the differences between two flows, for example "Adds 1 group and 3 blocks; changes the theme." */
export function countsText(counts: Counts): string {
  const parts = currentWords(partWords);
  const nouns = ({ group = 0, block = 0, event = 0, variable = 0, theme, settings }: Nouns) =>
    together([
      ...(group ? [parts.group({ count: group })] : []),
      ...(block ? [parts.block({ count: block })] : []),
      ...(event ? [parts.event({ count: event })] : []),
      ...(variable ? [parts.variable({ count: variable })] : []),
      ...(theme ? [parts.theme] : []),
      ...(settings ? [parts.settings] : []),
    ]);
  const acts = (["added", "changed", "moved", "removed"] as const).map((act) => {
    const of = nouns(counts[act]);
    return of === "" ? "" : parts[act]({ parts: of });
  });
  return sentence(acts);
}
