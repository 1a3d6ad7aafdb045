import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder } from "../../src/commands/deploy/folders.ts";
import { cleanupStack } from "../support/service.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

const files = new Map([
  ["bot.json", "{}"],
  ["tests/hello.json", "{}"],
]);

function botWith(...others: readonly string[]): string {
  const folder = join(cleanups.folder(), "shop");
  mkdirSync(join(folder, "tests"), { recursive: true });
  for (const name of [...files.keys(), ...others]) writeFileSync(join(folder, name), "{}");
  return folder;
}

test("the folder of a removed bot is removed with its files", async () => {
  const folder = botWith();
  await removeFolder(folder, files);

  expect(existsSync(folder)).toBe(false);
});

test.each([".env", "notes.md"])("the removal of a bot's folder keeps the team's own file %s", async (own) => {
  const folder = botWith(own);
  await removeFolder(folder, files);

  expect(readdirSync(folder)).toEqual([own]);
});

test("the removal of a bot's folder keeps a hidden file", async () => {
  const folder = botWith("tests/.keep");
  await removeFolder(folder, files);

  expect(readdirSync(folder, { recursive: true }).map(String).sort()).toEqual(["tests", "tests/.keep"]);
});
