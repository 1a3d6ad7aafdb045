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

/** An entry of the palette, which performs an action or opens a page. */
export type PaletteEntry = {
  readonly section: Section;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly icon?: string | undefined;
  /** The shortcut of the action, formatted by `keysText`. */
  readonly keys?: string | undefined;
  /** Additional search terms. */
  readonly words?: string | undefined;
  readonly onPress: () => void;
  /** Creates an entry from the typed text if no entry has this name. */
  readonly onNothing?: ((typed: string) => Pick<PaletteEntry, "label" | "onPress">) | undefined;
};

/** Returns palette entries for the enabled items of a menu. */
export function entriesOfMenu(items: readonly MenuItem[], section: Section): readonly PaletteEntry[] {
  return items.flatMap((item): PaletteEntry[] => {
    if (!("onPress" in item) || item.isDisabled) return [];
    const { label, icon, keys, hint, onPress } = item;
    return [{ section, label, icon, keys, detail: hint, onPress }];
  });
}

/** Removes duplicate actions. If several parts of a page offer the same action, only the first one is kept. */
export function eachOnce(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const acts = new Set<string>();
  return entries.filter(({ section, label }) => {
    if (section !== "chosen" && section !== "acts") return true;
    const isNew = !acts.has(label);
    acts.add(label);
    return isNew;
  });
}

/** The maximum number of rendered entries. Further typing narrows the list. */
const mostShown = 80;
/** The maximum number of entries of a content section. */
const mostOfSection = 12;
/** These sections are always shown in full, because there is no other list of their actions. */
const shownWhole: readonly Section[] = ["chosen", "acts", "screens"];
/** The sections that are shown before anything is typed. */
const shownAtFirst: readonly Section[] = [...shownWhole, "bots"];

/**
 * Returns the entries that match the typed text, sorted by section and, within a section, by relevance. The section
 * with the best match comes first. Without typed text, returns the initial sections. If no entry matches, returns the
 * entries that create something from the typed text.
 */
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

/**
 * Returns the entries by section, starting with the section that has the best match. On a tie, the default order
 * applies.
 */
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
