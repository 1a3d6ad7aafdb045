import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalHash } from "../../../src/core/flow/canonical.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { idOf } from "../../support/builder-ids.ts";

test("the order of a theme's keys does not change the flow's hash", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), (theme) => {
      const reversed = Object.fromEntries(Object.entries(theme).reverse());
      expect(canonicalHash(completeFlow({ theme })).toString("hex")).toBe(
        canonicalHash(completeFlow({ theme: reversed })).toString("hex"),
      );
    }),
  );
});

test("a flow's hash is the SHA-256 of its JSON with sorted keys", () => {
  const flow = completeFlow({ version: "6.1", theme: { b: 1, a: [true, null, "é"] } });
  const text =
    '{"edges":[],"events":null,"groups":[],"settings":{},"theme":{"a":[true,null,"é"],"b":1},"variables":[],"version":"6.1"}';
  expect(canonicalHash(flow).toString("hex")).toBe(new Bun.CryptoHasher("sha256").update(text).digest("hex"));
});

test("renaming a variable changes the hash", () => {
  const one = completeFlow({ variables: [{ id: idOf("v"), name: "A" }] });
  const other = completeFlow({ variables: [{ id: idOf("v"), name: "B" }] });
  expect(canonicalHash(one).equals(canonicalHash(other))).toBe(false);
});

test("a key such as __proto__ is included in the hash", () => {
  const theme = JSON.parse('{"__proto__": 1}');
  expect(canonicalHash(completeFlow({ theme })).equals(canonicalHash(completeFlow({})))).toBe(false);
});

test("a flow with 5,000 levels of nesting has a hash", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 5_000; level++) deep = { deep };
  expect(canonicalHash(completeFlow({ theme: { deep } }))).toHaveLength(32);
});
