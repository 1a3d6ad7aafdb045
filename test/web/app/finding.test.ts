import { expect, test } from "bun:test";
import { bestFits } from "../../../src/web/app/ui/fits.ts";

const blocks = [
  { label: "Embed", words: ["iframe", "page"] },
  { label: "Condition", words: ["if", "else", "branch"] },
  { label: "Notify", words: [], detail: "Tells somebody" },
];
const found = (typed: string) => bestFits(blocks, typed, (one) => one).map(({ label }) => label);

test("a search finds whole names before parts of names", () => {
  expect(found("if")).toEqual(["Notify", "Condition", "Embed"]);
  expect(found("con")).toEqual(["Condition"]);
  expect(found("pag")).toEqual(["Embed"]);
  expect(found("SOMEBODY ")).toEqual(["Notify"]);
  expect(found("")).toEqual(["Embed", "Condition", "Notify"]);
  expect(found("zzz")).toEqual([]);
});
