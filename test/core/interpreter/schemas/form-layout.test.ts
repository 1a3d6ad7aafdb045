import { expect, test } from "bun:test";
import { cells, drawn } from "../../../../src/core/interpreter/schemas/form-layout.ts";

test("a row of a form lists its fields with optional widths", () => {
  expect(cells("options.method", ["options.url", 3])).toEqual({
    cells: [{ field: "options.method" }, { field: "options.url", width: 3 }],
  });
  expect(cells()).toEqual({ cells: [] });
  expect(drawn("items", "choices")).toEqual({ cells: [{ field: "items", widget: "choices" }] });
});
