import { expect, test } from "bun:test";
import { bestFits, withMade } from "../../../src/web/app/ui/fits.ts";

const blocks = [
  { label: "Embed", words: ["iframe", "page"] },
  { label: "Condition", words: ["if", "else", "branch"] },
  { label: "Notify", words: [], detail: "Tells somebody" },
];
const found = (typed: string) => bestFits(blocks, typed, (one) => one).map(({ label }) => label);

test("a search lists matches in names before matches in search words", () => {
  expect(found("if")).toEqual(["Notify", "Condition", "Embed"]);
  expect(found("con")).toEqual(["Condition"]);
  expect(found("pag")).toEqual(["Embed"]);
  expect(found("SOMEBODY ")).toEqual(["Notify"]);
  expect(found("")).toEqual(["Embed", "Condition", "Notify"]);
  expect(found("zzz")).toEqual([]);
});

test("a combobox that keeps typed text lists the typed name first", () => {
  const [made, longer, within] = ["gpt-4", "gpt-4o", "mygpt-4"].map((label) => ({ label }));
  if (!made || !longer || !within) throw new Error("There are no names");
  const making = { made, wish: "gpt-4" };
  expect(withMade([longer, within], { ...making, keepsTyped: false })).toEqual([longer, made, within]);
  expect(withMade([longer, within], { ...making, keepsTyped: true })).toEqual([made, longer, within]);
});
