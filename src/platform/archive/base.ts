import { lstatSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createTarPacker, type TarPackController } from "modern-tar";
import { StartError } from "../../config.ts";
import { inPieces } from "../backup/pieces.ts";
import { startBaseCopy, stopBaseCopy } from "../database/archive.sql.ts";
import { connect } from "../database/sql.ts";
import { codeOf } from "../thrown.ts";
import type { Objects } from "./objects.ts";
import { seal, unseal } from "./sealed.ts";

/**
 * A base copy is a tar archive of the database's folder, in parts. It is made while the database is written to;
 * PostgreSQL's log since its beginning completes it. `bases/<name>/base.json` is written last: a copy without it was
 * cut off, and is ignored.
 */
const Base = Type.Object({
  startedAt: Type.String(),
  /** The earliest time to which this copy can be restored. */
  endedAt: Type.String(),
  release: Type.String(),
  /** Version of PostgreSQL's files: no other version can read them. */
  version: Type.String(),
  platform: Type.String(),
  startWal: Type.String(),
  stopWal: Type.String(),
  label: Type.String(),
  parts: Type.Integer(),
  bytes: Type.Integer(),
});
export type Base = Static<typeof Base> & { readonly name: string };

export const thisPlatform = `${process.platform}-${process.arch}`;
/** The size of a part. Parts are compressed and sealed one by one, in memory. */
const partBytes = 16 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/**
 * Files that a copy of a running database must not or need not contain: the files of its processes, and files that
 * recovery makes again.
 */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|recovery\.signal|standby\.signal|(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/;
/** The last file of a copy, as PostgreSQL requires. */
const controlFile = "global/pg_control";

export type BaseOptions = {
  readonly objects: Objects;
  /** The database's folder, and its address. */
  readonly folder: string;
  readonly url: string;
  readonly release: string;
  /**
   * Whether PostgreSQL's checkpoint before the copy is made at once, or more slowly, which disturbs other work less.
   */
  readonly isFast: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (what: string, bytes: number) => void;
};

export function baseObject(name: string, part: number | "base.json"): string {
  return `bases/${name}/${part === "base.json" ? part : `${String(part).padStart(6, "0")}.tar`}`;
}

/** Copies the database's files into the archive while others read and write. */
export async function takeBase(options: BaseOptions): Promise<Base> {
  const { objects, folder, url, release, isFast } = options;
  const startedAt = new Date();
  const name = startedAt.toISOString().replaceAll(/[:.]/g, "-");
  const sql = connect(url, { connections: 1 });
  try {
    // The transaction only keeps the connection open, since PostgreSQL ties the copy to it.
    const base: Base = await sql.begin(async (transaction) => {
      await startBaseCopy(transaction, { isFast });
      const { parts, bytes } = await copyFiles(name, options);
      const stopped = await stopBaseCopy(transaction);
      const version = (await Bun.file(join(folder, "PG_VERSION")).text()).trim();
      const times = { startedAt: startedAt.toISOString(), endedAt: new Date().toISOString() };
      return { name, ...times, release, version, platform: thisPlatform, ...stopped, parts, bytes };
    });
    const object = baseObject(name, "base.json");
    await objects.put(object, await seal(object, new TextEncoder().encode(JSON.stringify(base)), new Date()));
    return base;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Reads the description of a copy. Throws a StartError that names it if it was changed; undefined if it was cut off.
 */
export async function readBase(objects: Objects, name: string): Promise<Base | undefined> {
  const object = baseObject(name, "base.json");
  const file = await objects.get(object);
  if (file === undefined) return undefined;
  const { content } = await unseal(object, new Uint8Array(file));
  return { ...Value.Decode(Base, JSON.parse(new TextDecoder().decode(content))), name };
}

/** The tar archive of a copy. Rejects with a StartError that names the part that is cut off, changed or missing. */
export async function* readParts(objects: Objects, { name, parts }: Base): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let part = 1; part <= parts; part++) {
    const object = baseObject(name, part);
    const file = await objects.get(object);
    if (file === undefined)
      throw new StartError(`${object} is missing in the archive: restore from another base copy.`);
    yield (await unseal(object, new Uint8Array(file))).content;
  }
}

async function copyFiles(
  name: string,
  { objects, folder, signal, onProgress = () => {} }: BaseOptions,
): Promise<{ parts: number; bytes: number }> {
  const { readable, controller } = createTarPacker();
  const packing = packAll(controller, folder, signal).then(
    () => controller.finalize(),
    (error: unknown) => controller.error(error),
  );
  let [parts, bytes] = [0, 0];
  for await (const piece of inPieces(readable, partBytes)) {
    signal?.throwIfAborted();
    const object = baseObject(name, ++parts);
    await objects.put(object, await seal(object, piece, new Date()));
    bytes += piece.length;
    onProgress("files", piece.length);
  }
  await packing;
  return { parts, bytes };
}

async function packAll(archive: TarPackController, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => !leftOut.test(path));
  const ordered = [...entries.filter((path) => path !== controlFile).toSorted(), controlFile];
  for (const path of ordered) {
    signal?.throwIfAborted();
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
    // The file was dropped in the meantime.
    if (!found) continue;
    if (found.isSymbolicLink())
      throw new StartError(`${join(folder, path)} leads elsewhere: a base copy has a single folder.`);
    if (found.isDirectory()) {
      await archive
        .add({ name: `${path}/`, type: "directory", size: 0, mode: 0o700 })
        .getWriter()
        .close();
      continue;
    }
    await packFile(archive, { path, file: join(folder, path) });
  }
}

/** The file's size at the beginning: later growth and truncation are in PostgreSQL's log. */
async function packFile(archive: TarPackController, { path, file }: { path: string; file: string }): Promise<void> {
  await using handle = await open(file, "r").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (!handle) return;
  const { size } = await handle.stat();
  const entry = archive.add({ name: path, size, mode: 0o600 }).getWriter();
  for (let at = 0; at < size; ) {
    const chunk = new Uint8Array(Math.min(chunkBytes, size - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    const rest = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
    await entry.write(rest);
    at += rest.length;
  }
  await entry.close();
}
