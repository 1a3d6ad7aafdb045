import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  hasPlaces,
  isMessage,
  type Message,
  messageText,
  placesOf,
  type Values,
} from "../../../src/core/words/message.ts";

test("the text formatter is smaller than 1 kB", async () => {
  const entrypoints = [join(import.meta.dir, "../../../src/core/words/message.ts")];
  const { outputs } = await Bun.build({ entrypoints, minify: true });

  expect((await outputs[0]?.text())?.length).toBeLessThan(1_000);
});

describe("a message", () => {
  const said = (message: Message, values: Values, tag = "en") => messageText(message, values, tag);

  test("a message inserts its values unchanged and in any order", () => {
    expect(said("{b} and {a} and {b}", { a: "$& {b}", b: 1234 })).toBe("1234 and $& {b} and 1234");
    expect(said("{{a}} {a} {c}", { a: "x" })).toBe("{{a}} x {c}");
  });

  test("a message formats numbers for the language", () => {
    const values = { count: 12345.5, parts: "eine Gruppe" };
    const texts = ["en", "de"].map((tag) => said("{count, number}: {parts, capital}", values, tag));
    expect(texts).toEqual(["12,345.5: Eine Gruppe", "12.345,5: Eine Gruppe"]);
  });

  test("a form for an exact value takes precedence over a plural category", () => {
    const forms = { by: "n", "=1": "exactly", one: "one", "=": "nothing", other: "other" };
    expect([1, 2, "", undefined, "1"].map((n) => said(forms, { n }))).toEqual([
      "exactly",
      "other",
      "nothing",
      "nothing",
      "exactly",
    ]);
  });

  test("a message can contain nested forms, each selected by its own value", () => {
    const blocks = (groups: string) => ({
      by: "blocks",
      one: `${groups}, 1 block`,
      other: `${groups}, {blocks} blocks`,
    });
    const forms = { by: "groups", one: blocks("1 group"), other: blocks("{groups} groups") };
    expect(said(forms, { groups: 2, blocks: 1 })).toBe("2 groups, 1 block");
    expect(said(forms, { groups: 1, blocks: 3 })).toBe("1 group, 3 blocks");
  });
});

test("the placeholders of a message are listed with their names and kinds", () => {
  expect(placesOf("{{Name}}, {count, number} of {all}: {parts, capital}")).toEqual([
    { name: "count", kind: "number" },
    { name: "all", kind: undefined },
    { name: "parts", kind: "capital" },
  ]);
  expect([hasPlaces("{{Name}}"), hasPlaces("of {all}"), hasPlaces({ one: "a", other: "b" })]).toEqual([
    false,
    true,
    true,
  ]);
});

test("an object is a message if it has `other` and at least one more form", () => {
  const messages = ["Text", { one: "a", other: "b" }, { by: "n", "=": "a", other: "b" }, { few: "a", other: "b" }];
  const parts = [{ other: "Other" }, { other: "Other", title: "Title" }, { one: "a" }, {}, null, 1, undefined];

  expect(messages.map(isMessage)).toEqual(messages.map(() => true));
  expect(parts.map(isMessage)).toEqual(parts.map(() => false));
});
