import { existsSync } from "node:fs";
import { open, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Sql } from "./database/sql.ts";
import { newId } from "./ids.ts";
import { databaseMark } from "./instance-mark.sql.ts";
import { codeOf } from "./thrown.ts";

/**
 * Returns a mark that distinguishes this instance from an instance on a copy of its database. The mark consists of the
 * address of its chats and, with an embedded database, an id in DATA_DIR. Without either, the mark identifies the
 * database. All nodes of an instance have the same mark.
 */
export async function instanceMark(
  sql: Sql,
  config: Pick<Config, "CHAT_URL" | "PUBLIC_URL" | "DATABASE_URL" | "DATA_DIR">,
): Promise<string> {
  const address = (config.CHAT_URL ?? config.PUBLIC_URL ?? "").replace(/\/$/, "");
  if (config.DATABASE_URL !== undefined) return address === "" ? await databaseMark(sql) : address;
  return `${address} ${await ownId(config.DATA_DIR)}`.trim();
}

/**
 * Returns the id of a folder. A folder that was moved or copied to another path is another instance and gets a new id.
 */
async function ownId(folder: string): Promise<string> {
  const path = join(folder, "instance-id");
  const placePath = join(folder, "instance-place");
  const id = await loadOrCreateId(path);
  const place = await realpath(folder);
  const known = await readFile(placePath, "utf8").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  });
  if (known === place) return id;
  const own = known === undefined ? id : newId();
  await writeFile(path, own, { mode: 0o600 });
  await writeFile(placePath, place, { mode: 0o600 });
  return own;
}

async function loadOrCreateId(path: string): Promise<string> {
  try {
    // If several processes start concurrently, the first process creates the id.
    await using file = await open(path, "wx", 0o600);
    const id = newId();
    await file.writeFile(id);
    await file.sync();
    return id;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return (await readFile(path, "utf8")).trim();
  }
}

const restoredNote = "channels-restored";

/** Records in a marker file in DATA_DIR that the database was restored. */
export async function noteRestoredHere(folder: string): Promise<void> {
  await writeFile(join(folder, restoredNote), "", { mode: 0o600 });
}

/** Runs `work` if the marker file exists, and then deletes the file. Returns undefined if the file does not exist. */
export async function takeRestoredNote<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const path = join(folder, restoredNote);
  if (!existsSync(path)) return undefined;
  const result = await work();
  await rm(path, { force: true });
  return result;
}
