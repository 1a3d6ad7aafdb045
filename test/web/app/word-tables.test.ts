import { expect, test } from "bun:test";
import { page, readLanguage } from "../../tools/words/files.ts";
import { rowsOf, tableOf, takeTable } from "../../tools/words/table.ts";

const english = {
  result: {
    title: "Results",
    count: { one: "1 result", other: "{count, number} results" },
    asOf: "as of {time}, {name}",
    file: { by: "extension", "=": "File", other: "{kind} file" },
  },
};
const polish = { result: { title: "Wyniki" } };
const rows = rowsOf(english, "pl");

test("a table for translators has a line for each form that the language needs", () => {
  expect(tableOf(rows, polish)).toBe(
    [
      "key,English,translation",
      "result > title,Results,Wyniki",
      "result > count > one,1 result,",
      'result > count > few,"{count, number} results",',
      'result > count > many,"{count, number} results",',
      'result > count > other,"{count, number} results",',
      'result > asOf,"as of {time}, {name}",',
      "result > file > =,File,",
      "result > file > other,{kind} file,",
      "",
    ].join("\n"),
  );
});

test("a returned table fills in its texts, and leaves other texts unchanged", () => {
  const table =
    'key,English,translation\r\nresult > asOf,x,"{name}: {time}"\r\nresult > count > few,x,{count} wyniki\r\nresult > title,x,\r\n';
  expect(takeTable(`\uFEFF${table}`, rows, polish)).toEqual({
    words: { result: { title: "Wyniki", asOf: "{name}: {time}", count: { few: "{count} wyniki" } } },
    problems: [],
  });
});

test("the chat page has a separate table for translators", () => {
  const table = tableOf(rowsOf(page.readEnglish(), "de"), readLanguage(page, "de"));

  expect(table.split("\n")).toContain("send,Send,Senden");
  expect(table.split("\n")).toContain("found,{count} to choose from,{count} zur Auswahl");
});

test("a text with an unknown key or placeholder is reported and omitted", () => {
  const table = "key,English,translation\nresult > asOf,x,{when}\nresult > gone,x,y\n";
  expect(takeTable(table, rows, polish)).toEqual({
    words: polish,
    problems: ["result > asOf: the English text has no {when}.", "result > gone: there is no such text."],
  });
});
