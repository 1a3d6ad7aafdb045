import { expect, test } from "bun:test";
import { once } from "../../../src/web/server/asset.ts";

test("a cached promise is created again only after a failure", async () => {
  let tries = 0;
  const made = once(async () => {
    tries++;
    if (tries === 1) throw new Error("No room");
    return tries;
  });

  await expect(made()).rejects.toThrow("No room");
  expect(await Promise.all([made(), made()])).toEqual([2, 2]);
  expect(await made()).toBe(2);
});
