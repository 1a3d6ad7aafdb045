import { folded } from "../ui/fits.ts";
import type { MenuItem } from "../ui/index.ts";
import { scoreOf, termsOf } from "./score.ts";

export const sections = [
  "chosen",
  "acts",
  "screens",
  "parts",
  "bots",
  "groups",
  "blocks",
  "variables",
  "workspaces",
] as const;
export type Section = (typeof sections)[number];

/** An action, or a page to open. */
export type PaletteEntry = {
  readonly section: Section;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly icon?: string | undefined;
  /** The keys of the same action, in the form of `keysText`. */
  readonly keys?: string | undefined;
  /** Further words by which the entry is found. */
  readonly words?: string | undefined;
  readonly onPress: () => void;
  /** Creates an entry from the typed text: offered if no entry has this name. */
  readonly onNothing?: ((typed: string) => Pick<PaletteEntry, "label" | "onPress">) | undefined;
};

/** The items of a menu that can be chosen now. */
export function entriesOfMenu(items: readonly MenuItem[], section: Section): readonly PaletteEntry[] {
  return items.flatMap((item): PaletteEntry[] => {
    if (!("onPress" in item) || item.isDisabled) return [];
    const { label, icon, keys, hint, onPress } = item;
    return [{ section, label, icon, keys, detail: hint, onPress }];
  });
}

/** Each action once: if several parts of a page offer the same, only the first one is shown. */
export function eachOnce(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const acts = new Set<string>();
  return entries.filter(({ section, label }) => {
    if (section !== "chosen" && section !== "acts") return true;
    const isNew = !acts.has(label);
    acts.add(label);
    return isNew;
  });
}

/** Maximum number of drawn entries: typing more narrows the list. */
const mostShown = 80;
/** Maximum number of entries of one section of contents. */
const mostOfSection = 12;
/** All possible actions are shown, because there is no other list of them. */
const shownWhole: readonly Section[] = ["chosen", "acts", "screens"];
/** Without typed text: actions and places, no contents. */
const shownAtFirst: readonly Section[] = [...shownWhole, "bots"];

/** The entries that match the typed text, the best section first; within a section the best entry first. */
export function matching(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const terms = termsOf(typed);
  if (terms.length === 0) {
    const first = entries.filter(({ section }) => shownAtFirst.includes(section));
    return inSections(first.map((entry) => ({ entry, score: 0 }))).slice(0, mostShown);
  }
  const found = entries.flatMap((entry) => {
    const score = scoreOfEntry(terms, entry);
    return score === undefined ? [] : [{ entry, score }];
  });
  if (found.length === 0) return entries.flatMap((entry) => (entry.onNothing ? [withTyped(entry, typed.trim())] : []));
  return inSections(found.sort((a, b) => b.score - a.score)).slice(0, mostShown);
}

function withTyped(entry: PaletteEntry, typed: string): PaletteEntry {
  return { ...entry, detail: undefined, keys: undefined, ...entry.onNothing?.(typed) };
}

type Scored = { readonly entry: PaletteEntry; readonly score: number };

const foldedLabels = new WeakMap<PaletteEntry, { readonly label: string; readonly rest: string }>();

function scoreOfEntry(terms: readonly string[], entry: PaletteEntry): number | undefined {
  const known = foldedLabels.get(entry) ?? {
    label: folded(entry.label),
    rest: folded(`${entry.label} ${entry.detail ?? ""} ${entry.words ?? ""}`),
  };
  foldedLabels.set(entry, known);
  const byLabel = scoreOf(terms, known.label);
  if (byLabel !== undefined) return byLabel;
  const byAll = terms.every((term) => known.rest.includes(term));
  return byAll ? 5 : undefined;
}

/** Sections by their best entry; equal ones in their own order. */
function inSections(found: readonly Scored[]): readonly PaletteEntry[] {
  const bySection = Map.groupBy(found, ({ entry }) => entry.section);
  const best = (section: Section) => bySection.get(section)?.[0]?.score ?? -1;
  return [...sections]
    .filter((section) => bySection.has(section))
    .sort((a, b) => best(b) - best(a))
    .flatMap((section) => {
      const found = bySection.get(section) ?? [];
      return (shownWhole.includes(section) ? found : found.slice(0, mostOfSection)).map(({ entry }) => entry);
    });
}
