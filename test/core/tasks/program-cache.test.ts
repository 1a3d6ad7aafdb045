import { expect, test } from "bun:test";
import { blocks } from "../../../src/core/blocks/index.ts";
import { createProgramCache } from "../../../src/core/tasks/program-cache.ts";
import { nameAndEmail } from "../../support/chat.ts";

const flow = JSON.stringify(nameAndEmail);

test("the program cache evicts the least recently used program", () => {
  const cache = createProgramCache(3 * flow.length, blocks);
  const add = (key: string) => cache.add({ key, botId: "bot", flow });
  for (const key of ["a", "b", "c"]) add(key);
  for (const key of ["c", "a", "a", "c", "a"]) expect(cache.get(key)?.key).toBe(key);

  add("d");
  expect(["a", "b", "c", "d"].map((key) => cache.get(key)?.key)).toEqual(["a", undefined, "c", "d"]);
  for (const key of ["c", "a", "d"]) cache.get(key);
  add("e");
  expect(["a", "c", "d", "e"].map((key) => cache.get(key)?.key)).toEqual(["a", undefined, "d", "e"]);
});
