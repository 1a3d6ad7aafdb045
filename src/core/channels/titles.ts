import { shortened } from "./split.ts";

/**
 * Returns the button titles to display: single-line, non-empty, unique, and no longer than `most`. An empty title is
 * replaced by its position. Duplicate titles get the suffix ` (2)`, ` (3)` and so on.
 */
export function shownTitles(titles: readonly string[], most: number): string[] {
  const seen = new Set<string>();
  return titles.map((title, index) => {
    const words = title.replace(/\s+/g, " ").trim() || String(index + 1);
    let shown = shortened(words, most);
    for (let number = 2; seen.has(shown); number += 1) {
      const suffix = ` (${number})`;
      shown = shortened(words, most - suffix.length) + suffix;
    }
    seen.add(shown);
    return shown;
  });
}

/**
 * Arranges titles in rows of buttons, with as many buttons per row as the width allows. Long lists have one button per
 * row.
 */
export function inRows<Item>(items: readonly Item[], widthOf: (item: Item) => number): Item[][] {
  const widest = Math.max(0, ...items.map(widthOf));
  const columns = items.length > 9 ? 1 : widest <= 8 ? 3 : widest <= 14 ? 2 : 1;
  return chunked(items, Math.min(columns, Math.max(1, items.length)));
}

export function chunked<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
