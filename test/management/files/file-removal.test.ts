import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { takeRemovedFiles } from "../../../src/management/files/file-removal.sql.ts";
import { insertFile, lockFile } from "../../../src/management/files/files.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { moveClock } from "../../support/moved-clock.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("a removed file is not deleted while its content is being stored", async () => {
  const { sql } = database;
  const seconds = limits.uploads.storageLockSeconds;
  const sessionId = newId();
  const id = newId(shardOf(sessionId));
  await insertFile(sql, {
    ...{ id, sessionId, botId: newId(), resultId: null, blockId: "b", name: "n", extension: "pdf" },
    ...{ type: "application/pdf", isPublic: false, maxBytes: 10, addressSeconds: 600 },
    most: { files: 1, bytes: 100 },
  });
  expect(await lockFile(sql, { id, seconds })).toBe(true);
  await sql`update files set is_removed = true, remove_after = clock() where id = ${id}`;
  const take = () => takeRemovedFiles(sql, { limit: 10, seconds: 60 });

  expect(await take()).toEqual([]);
  await moveClock(sql, seconds + 1);
  expect(await take()).toEqual([id]);
});
