import { expect, test } from "bun:test";
import { readCode } from "../../../src/web/browser/author-code/author-code.ts";

test("an author's code gets arguments only under valid identifiers", () => {
  const content = "return Name";
  const names = ["Name", "größe", "$_1", "1st", "a b", "a,b", "a = stolen()", "a){stolen()}//", ""];

  const given = readCode({ content, args: names.map((id) => ({ id, value: id })) });
  expect(given).toEqual({ content, args: ["Name", "größe", "$_1"].map((name) => ({ name, value: name })) });
  expect(readCode({ content, args: { Name: 1, "a){stolen()}//": 2 } }).args).toEqual([{ name: "Name", value: 1 }]);
});
