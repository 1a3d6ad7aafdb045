import type { FormCell, FormLayout } from "../../../../core/interpreter/schemas/form-layout.ts";

/** Returns all cells of a layout in display order. */
export function cellsOf(layout: FormLayout): readonly FormCell[] {
  return layout.flatMap((row): readonly FormCell[] => {
    if ("cells" in row) return row.cells;
    return "tabs" in row ? row.tabs.flatMap((tab) => cellsOf(tab.rows)) : cellsOf(row.rows);
  });
}
