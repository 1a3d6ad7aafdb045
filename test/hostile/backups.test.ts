import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { createTarPacker } from "modern-tar";
import { readSeal, sumOf, unseal } from "../../src/platform/archive/sealed.ts";
import { formatVersion, type Head, maxPartBytes, maxPieceBytes } from "../../src/platform/backup/format.ts";
import { restoreBackup } from "../../src/platform/backup/restore.ts";
import { migrations } from "../../src/platform/database/migrations.ts";
import { migrationHash } from "../../src/platform/database/schema/migrate.sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createFolderStorage } from "../../src/platform/storage/storage-folder.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { temporaryFolder } from "../support/folder.ts";

let database: TestDatabase;
const folder = temporaryFolder();

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(async () => {
  await database.close();
  folder.remove();
});

type Entry = { readonly name: string; readonly content: Uint8Array | string };

/** Creates a backup of this release with the given tables, followed by the entries. */
function backupOf(tables: Head["tables"], entries: readonly Entry[]): ReadableStream<Uint8Array> {
  const head: Head = {
    format: formatVersion,
    release: "0.1.0",
    createdAt: "2026-11-23T00:00:00.000Z",
    migrations: migrations.map(({ name, text }) => ({ name, hash: migrationHash(text) })),
    tables,
  };
  const { readable, controller } = createTarPacker();
  const pack = async () => {
    for (const { name, content } of [{ name: "parley-backup.json", content: JSON.stringify(head) }, ...entries]) {
      const bytes = Buffer.from(content);
      const writer = controller.add({ name, size: bytes.length, type: "file" }).getWriter();
      await writer.write(bytes);
      await writer.close();
    }
    controller.finalize();
  };
  pack().catch((error: unknown) => controller.error(error));
  return readable;
}

const dataFolder = join(folder.path, "data", "files");

async function refusalOf(tables: Head["tables"], entries: readonly Entry[]): Promise<string> {
  const storage = createFolderStorage(dataFolder);
  const refusal = restoreBackup(backupOf(tables, entries), {
    sql: database.sql,
    name: "a test's database",
    storage,
    onProgress: () => {},
  });
  const error: unknown = await refusal.then(
    () => new Error("It was restored"),
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error.message : String(error);
}

const keys = { name: "request_keys", columns: ["owner_id", "key"] };

test.each(["../../../../outside", "/outside", `..%2f${newId()}`, "", newId().toUpperCase(), `${newId()}/..`])(
  "a backup with a file named %p is refused, and nothing is written outside the data folder",
  async (id) => {
    expect(await refusalOf([keys], [{ name: `files/${id}`, content: "Hello" }])).toContain(
      "which is not an id of Parley",
    );
    expect(existsSync(join(folder.path, "outside"))).toBe(false);
    expect(readdirSync(dirname(dirname(dataFolder))).filter((name) => name !== "data")).toEqual([]);
  },
);

test.each([
  ["a system table of PostgreSQL", { name: "pg_class", columns: ["relname"] }],
  ["the list of migrations", { name: "migrations", columns: ["name"] }],
  ["a table whose name ends a statement", { name: 'users"; drop table "users', columns: ["id"] }],
  ["a column whose name ends a list", { name: "users", columns: ["id\") from program 'id' --"] }],
])("a backup with rows for %s is refused", async (_, table) => {
  expect(await refusalOf([table], [])).toContain("which is not a table of this release");
});

test("a backup is refused if its rows decompress to more than the size limit", async () => {
  const bomb = zstdCompressSync(Buffer.alloc(maxPieceBytes + 1));
  expect(bomb.length).toBeLessThan(64 * 1024);
  expect(await refusalOf([keys], [{ name: "tables/request_keys/00001.zst", content: bomb }])).toContain(
    "changed or damaged",
  );
});

test("a backup is refused if one of its parts exceeds the maximum size", async () => {
  const content = Buffer.alloc(maxPartBytes + 1);
  expect(await refusalOf([keys], [{ name: "end.json", content }])).toContain("more than Parley writes");
});

test("an archive file whose content is too large or has a wrong size is rejected", async () => {
  const sealed = (bytes: number, content: Uint8Array) => {
    const told = { parleyArchive: 1, name: "wal/1", bytes, sha256: sumOf(content), at: "2026-11-23T00:00:00.000Z" };
    return new Uint8Array(Buffer.concat([Buffer.from(`${JSON.stringify(told)}\n`), zstdCompressSync(content)]));
  };
  const bomb = Buffer.alloc(80 * 1024 * 1024);
  for (const file of [sealed(10, bomb), sealed(bomb.length, bomb), sealed(-1, bomb), sealed(0, bomb)]) {
    expect(readSeal("wal/1", file).name).toBe("wal/1");
    await expect(unseal("wal/1", file)).rejects.toThrow("was changed");
  }
});
