import { afterEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeLeftFolders } from "../../src/commands/bench/leftovers.ts";
import { lockDataFolder, openDataFolder } from "../../src/platform/embedded/folders.ts";
import { cleanupStack } from "../support/service.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

test("the folder of a killed bench run is removed", async () => {
  const dataDir = cleanups.folder();
  const [running, killed, others] = ["parley-bench-run001", "parley-bench-dead01", "parley-bench-of-mine"];
  for (const name of [running, killed, others]) mkdirSync(join(dataDir, name));
  writeFileSync(join(dataDir, killed, "postgres.log"), "");
  const lock = lockDataFolder(openDataFolder(join(dataDir, running)));
  cleanups.add(() => lock?.release());

  await removeLeftFolders(dataDir);
  expect(readdirSync(dataDir).sort()).toEqual([others, running].sort());

  lock?.release();
  await removeLeftFolders(dataDir);
  expect(readdirSync(dataDir)).toEqual([others]);
});
