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
 * A base copy is a tar archive of the database's folder, split into parts. The copy is made while the database is in
 * use. To be consistent, it needs PostgreSQL's log from the start of the copy on. `bases/<name>/base.json` is written
 * last. A copy without this file is incomplete and is ignored.
 */
const Base = Type.Object({
  startedAt: Type.String(),
  /** The earliest time to which this copy can be restored. */
  endedAt: Type.String(),
  release: Type.String(),
  /** The version of PostgreSQL that wrote the files. No other version can read them. */
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
/** Each part except the last has at least this size. A part is compressed and sealed in memory. */
const partBytes = 16 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/**
 * Files that a copy of a running database must not contain, such as lock files of the server, and files that recovery
 * recreates.
 */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|recovery\.signal|standby\.signal|(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/;
/** PostgreSQL requires this file to be the last file of a copy. */
const controlFile = "global/pg_control";

export type BaseOptions = {
  readonly objects: Objects;
  /** The database's folder. */
  readonly folder: string;
  readonly url: string;
  readonly release: string;
  /** Whether PostgreSQL begins the copy with an immediate checkpoint. A slower checkpoint disturbs other work less. */
  readonly isFast: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (what: string, bytes: number) => void;
};

export function baseObject(name: string, part: number | "base.json"): string {
  return `bases/${name}/${part === "base.json" ? part : `${String(part).padStart(6, "0")}.tar`}`;
}

/** Copies the database's files into the archive while the database is in use. */
export async function takeBase(options: BaseOptions): Promise<Base> {
  const { objects, folder, url, release, isFast } = options;
  const startedAt = new Date();
  const name = startedAt.toISOString().replaceAll(/[:.]/g, "-");
  const sql = connect(url, { connections: 1 });
  try {
    // The transaction only keeps the connection open, because PostgreSQL ties the copy to its connection.
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
 * Reads the description of a copy. Returns undefined if the copy is incomplete. Throws a StartError that names the copy
 * if the description was changed.
 */
export async function readBase(objects: Objects, name: string): Promise<Base | undefined> {
  const object = baseObject(name, "base.json");
  const file = await objects.get(object);
  if (file === undefined) return undefined;
  const { content } = await unseal(object, new Uint8Array(file));
  return { ...Value.Decode(Base, JSON.parse(new TextDecoder().decode(content))), name };
}

/**
 * Yields the tar archive of a copy, part by part. Throws a StartError that names the first part that is truncated,
 * changed or missing.
 */
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
    // The file was deleted after the folder was listed.
    if (!found) continue;
    if (found.isSymbolicLink())
      throw new StartError(`${join(folder, path)} links to another folder: a base copy must be a single folder.`);
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

/** Packs the file at its initial size. PostgreSQL's log contains later growth and truncation. */
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
