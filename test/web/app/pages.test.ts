import { expect, test } from "bun:test";
import { allPages } from "../../../src/web/app/api/index.ts";

/** Creates a list of the given number of pages with one entry each, and counts the requests for the pages. */
function listOf(pages: number) {
  let asked = 0;
  const read = async ({ cursor = "0" }: { readonly cursor: string | undefined }) => {
    asked += 1;
    const next = Number(cursor) + 1;
    return { entries: [`entry ${cursor}`], nextCursor: next < pages ? String(next) : undefined };
  };
  return { read, asked: () => asked };
}

test("all pages of a list are joined", async () => {
  const list = listOf(3);
  expect(await allPages(list.read, ({ entries }) => entries)).toEqual(["entry 0", "entry 1", "entry 2"]);
  expect(list.asked()).toBe(3);
});

test("an endless list is truncated after twenty pages", async () => {
  const list = listOf(Number.POSITIVE_INFINITY);
  expect(await allPages(list.read, ({ entries }) => entries)).toHaveLength(20);
  expect(list.asked()).toBe(20);
});
