import { describe, expect, test } from "bun:test";
import { fromUuid, isId, newId, newIdAfter, shardCount, shardOf, toUuid } from "../../src/platform/ids.ts";

describe("ids", () => {
  test("ids are 26 lower-case letters and digits without hyphens", () => {
    expect(newId()).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(isId(newId())).toBe(true);
  });

  test("an id and its uuid in the database have the same 128 bits", () => {
    expect(toUuid("00000000000000000000000000")).toBe("0".repeat(32));
    expect(toUuid("7zzzzzzzzzzzzzzzzzzzzzzzzz")).toBe("f".repeat(32));
    for (let time = 0; time < 100; time++) {
      const id = newId();
      const bits = BigInt(`0x${toUuid(id)}`);
      const digits = [...id].reduce(
        (sum, letter) => sum * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(letter)),
        0n,
      );
      expect(bits).toBe(digits);
      expect(fromUuid(toUuid(id))).toBe(id);
      expect(fromUuid(toUuid(id).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"))).toBe(id);
    }
  });

  test("ids sort by time, as text and as uuid", () => {
    const ids = ["00000000010000000000000000", newId(), "7zzzzzzzzz0000000000000000"];
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map(toUuid).toSorted()).toEqual(ids.map(toUuid));
  });

  test("10,000 ids have different random parts", () => {
    const made = Array.from({ length: 10_000 }, () => newId());
    expect(new Set(made.map((id) => id.slice(10))).size).toBe(made.length);
  });

  test("newIdAfter returns an id that sorts after the given id, in the same shard", () => {
    const ids = ["00000000010000000000000000", newId(777), "7zzzzzzzz0zzzzzzzzzzzzzz31"];
    for (const id of ids) {
      const after = newIdAfter(id);
      expect(isId(after)).toBe(true);
      expect(after > id).toBe(true);
      expect(shardOf(after)).toBe(shardOf(id));
      expect(after.slice(10, 24)).not.toBe(newIdAfter(id).slice(10, 24));
    }
    const [, now = ""] = ids;
    expect(newIdAfter("00000000010000000000000000") > now.slice(0, 10)).toBe(true);
  });

  test("ids contain the given shard", () => {
    for (const shard of [0, 1, 31, 32, 777, shardCount - 1]) expect(shardOf(newId(shard))).toBe(shard);
  });

  test("a text with another length, alphabet or range is not an id", () => {
    for (const text of [
      "",
      "0".repeat(25),
      "8".padEnd(26, "0"),
      `${"0".repeat(25)}u`,
      `${"0".repeat(25)}A`,
      "../../../etc/passwd",
    ])
      expect(isId(text)).toBe(false);
  });
});
