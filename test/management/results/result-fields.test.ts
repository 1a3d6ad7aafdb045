import { expect, test } from "bun:test";
import { allFields, copiedColumns, erasedColumns } from "../../../src/core/results/result-fields.ts";

const columns = allFields.map(({ column }) => column);

test("erasing a result clears each field but those that say nothing about the visitor", () => {
  const kept = columns.filter((column) => !erasedColumns.includes(column));
  expect(kept).toEqual(["is_completed", "has_started", "is_archived", "publication_number", "is_paid"]);
});

test("a copy of a bot with its results has each field but those of the original's place", () => {
  expect(columns.filter((column) => !copiedColumns.includes(column))).toEqual(["publication_number"]);
});
