import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { blocks } from "../../../src/core/blocks/index.ts";

const shown = blocks.get("text")?.bubble?.shown;
const contents = [
  { type: "richText", richText: [], html: "", plainText: "" },
  { type: "markdown", markdown: "" },
];
/** Returns, for each format, whether a text may have these sources. */
const fits = (sources: unknown): boolean[] => {
  if (!shown) throw new Error("There is no text bubble");
  return contents.map((content) => Value.Check(shown, { ...content, sources }));
};
const source = (number: number) => ({ id: `S${number}`, title: `Number ${number}` });

test("a text has at most twelve sources", () => {
  const twelve = Array.from({ length: 12 }, (_, index) => source(index + 1));

  expect(fits([])).toEqual([true, true]);
  expect(fits(twelve)).toEqual([true, true]);
  expect(fits([{ ...source(1), url: "https://garden.example/", place: "page 4" }])).toEqual([true, true]);
  expect(fits([...twelve, source(13)])).toEqual([false, false]);
  for (const wrong of [{ id: "1" }, { id: "xS1" }, { id: "S123" }, { id: "S" }, { title: 7 }, { url: 7 }, { place: 7 }])
    expect(fits([{ ...source(1), ...wrong }])).toEqual([false, false]);
});
