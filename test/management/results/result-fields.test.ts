import { expect, test } from "bun:test";
import { allFields } from "../../../src/core/results/result-fields.ts";
import { readText } from "../../support/tidy/project.ts";

/** The columns of results that a file of `src/` does not name: the nouns before results cannot derive theirs from the table of fields. */
function columnsAbsentIn(path: string): readonly string[] {
  const text = readText(`src/${path}`);
  return allFields.map(({ column }) => column).filter((column) => !new RegExp(`\\b${column}\\b`).test(text));
}

test("erasing a result clears each field but those that say nothing about the visitor", () => {
  const text = readText("src/management/erasure/erasure.sql.ts");
  const kept = allFields.map(({ column }) => column).filter((column) => !text.includes(`${column} = null`));
  expect(kept).toEqual(["is_completed", "has_started", "is_archived", "publication_number"]);
});

test("a copy of a bot with its results has each field but those of the original's place", () => {
  expect(columnsAbsentIn("management/bots/places/bot-copies.sql.ts")).toEqual(["publication_number"]);
});
