import { describe, expect, test } from "bun:test";
import { namedItems, type Offer } from "../../../src/core/channels/matching.ts";
import { replyTo } from "../../../src/core/channels/replies.ts";
import { inRows, shownTitles } from "../../../src/core/channels/titles.ts";

test.each<[string, readonly string[], readonly string[]]>([
  ["equal titles", ["A", "A", "A"], ["A", "A (2)", "A (3)"]],
  ["empty titles", ["", " "], ["1", "2"]],
  ["a title of two lines", ["a\nb"], ["a b"]],
  ["titles that are too long", ["x".repeat(25), "x".repeat(25)], [`${"x".repeat(19)}…`, `${"x".repeat(15)}… (2)`]],
  ["an emoji at the length limit", [`${"x".repeat(18)}👨‍👩‍👧‍👦`], [`${"x".repeat(18)}…`]],
])("shown titles are unique, not empty and within the length limit: %s", (_, titles, shown) => {
  expect(shownTitles(titles, 20)).toEqual([...shown]);
});

test("short titles share a row", () => {
  const rows = (...titles: string[]) => inRows(titles, (title) => title.length).map((row) => row.length);

  expect(rows("Yes", "No")).toEqual([2]);
  expect(rows("Monday", "Tuesday", "Friday", "Sunday")).toEqual([3, 1]);
  expect(rows("A longer one", "Another")).toEqual([2]);
  expect(rows("A title of many words", "B")).toEqual([1, 1]);
  expect(rows(..."abcdefghij")).toEqual(Array.from({ length: 10 }, () => 1));
  expect(rows()).toEqual([]);
});

describe("a typed text", () => {
  const offer = (more: Partial<Offer> = {}): Offer => ({
    items: ["Red", "2", "Blue sky"].map((title, index) => ({ id: `i${index + 1}`, title })),
    isSeveral: false,
    isSearchable: false,
    ...more,
  });
  const several = { isSeveral: true };

  test.each<[string, Partial<Offer>, readonly string[] | undefined]>([
    ["red", {}, ["i1"]],
    ["2", {}, ["i2"]],
    ["3", {}, ["i3"]],
    ["3)", {}, ["i3"]],
    ["3.", {}, ["i3"]],
    ["３", {}, ["i3"]],
    ["٣", {}, ["i3"]],
    ["3️⃣", {}, ["i3"]],
    ["BLUE  SKY ", {}, ["i3"]],
    ["blue", {}, undefined],
    ["blue", { isSearchable: true }, ["i3"]],
    ["e", { isSearchable: true }, undefined],
    ["4", {}, undefined],
    ["", { isSearchable: true }, undefined],
    ["1, 3", several, ["i1", "i3"]],
    ["3 1", several, undefined],
    ["red & blue sky", several, ["i1", "i3"]],
    ["3\n1", several, ["i1", "i3"]],
    ["1, 9", several, undefined],
    [",", several, undefined],
  ])("the text %j with the options %j selects %j", (text, more, ids) => {
    expect(namedItems(text, offer(more))?.map(({ id }) => id)).toEqual(ids && [...ids]);
  });
});

test("a typed text of more than 120 parts selects no items", () => {
  const items = [
    { id: "green", title: "Green" },
    { id: "black", title: "Black" },
  ];
  const spelled = (count: number) => Array.from({ length: count }, (_, index) => `${" ".repeat(index)}Green`).join();
  const ask = { items, isSeveral: true, isSearchable: false };

  expect(namedItems(spelled(120), ask)?.map(({ id }) => id)).toEqual(["green"]);
  expect(namedItems(spelled(121), ask)).toBeUndefined();
});

test("a text that the block recognises is not replaced by an item's id", () => {
  const items = [
    { id: "a", content: "One" },
    { id: "b", content: "Two" },
  ];
  const input = { id: "x", type: "choice input", items };
  const reply = (text: string, options = {}) => replyTo(text, { ...input, options }, 64);

  expect(reply("Two")).toBe("Two");
  expect(reply("two")).toEqual({ type: "text", text: "b", metadata: { replyId: "b" } });
  expect(reply("2.")).toEqual({ type: "text", text: "b", metadata: { replyId: "b" } });
  expect(reply("three")).toBe("three");
  // The block itself matches several choices, also by their numbers.
  expect(reply("2 and 1", { isMultipleChoice: true })).toBe("2 and 1");
  expect(replyTo("2", { id: "x", type: "text input" }, 64)).toBe("2");
  const alike = { id: "x", type: "choice input", items: ["a", "b"].map((id) => ({ id, content: "Tea" })) };
  expect(replyTo("tea (2)", alike, 64)).toEqual({ type: "text", text: "b", metadata: { replyId: "b" } });
});
