import { shortened } from "./split.ts";

/**
 * The shown titles of buttons: on one line, never empty, never longer than `most`, all different. An empty title
 * becomes its number; repeated titles get ` (2)`, ` (3)`.
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

/** Titles as rows of buttons, as many in a row as the width allows. Long lists have one button in a row. */
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
