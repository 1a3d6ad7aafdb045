import { existsSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Config, StartError } from "../../config.ts";
import { writeDurably } from "../durable-files.ts";
import { codeOf, reasonOf } from "../thrown.ts";
import { listObjects, openBucket, readS3Address } from "./s3.ts";

/** The rules for keeping the backups of a folder. If both rules are set, a backup is kept if either rule keeps it. */
export type Keeping = { readonly count?: number; readonly days?: number };

const dayMs = 24 * 3_600_000;

/** Returns the name of a backup that is made now. Names sort by time. */
export function backupName(now: Date): string {
  return `parley-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;
}

/**
 * Returns the names of backups that need not be kept any longer. Ignores names that do not have the format of
 * `backupName`, and always keeps the newest backup.
 */
export function outdatedBackups(names: readonly string[], { count, days }: Keeping, now: Date): string[] {
  if (count === undefined && days === undefined) return [];
  const oldest = days === undefined ? Number.POSITIVE_INFINITY : now.getTime() - days * dayMs;
  const newestFirst = names
    .filter((name) => timeOf(name) !== undefined)
    .toSorted()
    .reverse();
  return newestFirst
    .filter((name, index) => index >= Math.max(1, count ?? 0) && (timeOf(name) ?? 0) < oldest)
    .reverse();
}

function timeOf(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = /^parley-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar$/.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
}

/** The location of a backup: a file, or an object of the configured S3-compatible storage. */
export type BackupPlace = {
  /** Stores the whole backup durably. Throws a StartError, and leaves no incomplete backup, if the write fails. */
  write(stream: ReadableStream<Uint8Array>): Promise<{ readonly bytes: number }>;
  /** Throws a StartError if the backup does not exist or cannot be accessed. */
  read(): Promise<ReadableStream<Uint8Array>>;
};

/** Parses addresses such as `backup.tar` and `s3://bucket/backup.tar`. */
export function placeOf(text: string, config: Config): BackupPlace {
  const address = readS3Address(text);
  return address === undefined || address.name === "" ? fileAt(text) : objectAt(address, config);
}

/** A folder of backups that are named by time, such as `/var/backups/` or `s3://bucket/backups/`. */
export type BackupFolder = {
  /** Returns the address of a backup that is made now. */
  next(now: Date): string;
  /** Removes the backups that need not be kept any longer, and returns the addresses of the removed backups. */
  removeOutdated(keeping: Keeping, now: Date): Promise<string[]>;
};

/**
 * Returns the folder if the address ends with a slash, is a bucket without a name, or is the path of an existing
 * folder. Otherwise returns undefined.
 */
export function folderOf(text: string, config: Config): BackupFolder | undefined {
  const address = readS3Address(text);
  if (address) return address.name === "" || address.name.endsWith("/") ? prefixOf(address, config) : undefined;
  if (!text.endsWith("/") && !statSync(text, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const paths = (names: readonly string[]) => names.map((name) => join(text, name));
  return {
    next: (now) => join(text, backupName(now)),
    async removeOutdated(keeping, now) {
      const outdated = paths(outdatedBackups(await readdir(text), keeping, now));
      for (const path of outdated) await rm(path, { force: true });
      return outdated;
    },
  };
}

function prefixOf({ bucket, name }: { bucket: string; name: string }, config: Config): BackupFolder {
  const client = openBucket(bucket, config);
  const prefix = name === "" || name.endsWith("/") ? name : `${name}/`;
  return {
    next: (now) => `s3://${bucket}/${prefix}${backupName(now)}`,
    async removeOutdated(keeping, now) {
      const names = (await listObjects(client, prefix)).map((object) => object.name.slice(prefix.length));
      const outdated = outdatedBackups(names, keeping, now);
      for (const one of outdated) await client.delete(`${prefix}${one}`);
      return outdated.map((one) => `s3://${bucket}/${prefix}${one}`);
    },
  };
}

function fileAt(path: string): BackupPlace {
  return {
    async write(stream) {
      if (existsSync(path)) throw new StartError(`${path} already exists: choose another file.`);
      const bytes = await writeDurably(path, stream).catch((error: unknown) => {
        throw unwritable(path, error);
      });
      return { bytes };
    },
    async read() {
      if (!existsSync(path)) throw new StartError(`There is no backup at ${path}.`);
      return Bun.file(path).stream();
    },
  };
}

function objectAt({ bucket, name: key }: { bucket: string; name: string }, config: Config): BackupPlace {
  const object = openBucket(bucket, config).file(key);
  const name = `s3://${bucket}/${key}`;
  return {
    async write(stream) {
      const writer = object.writer({ type: "application/x-tar", retry: 3 });
      let bytes = 0;
      try {
        for await (const chunk of stream) {
          await writer.write(chunk);
          bytes += chunk.length;
        }
        await writer.end();
        return { bytes };
      } catch (error) {
        // A multipart upload that is never completed does not create an object.
        throw unwritable(name, error);
      }
    },
    async read() {
      const isThere = await object.exists().catch((error: unknown) => {
        throw new StartError(`${name} cannot be read: ${reasonOf(error)}.`, { cause: error });
      });
      if (!isThere) throw new StartError(`There is no backup at ${name}.`);
      return object.stream();
    },
  };
}

function unwritable(place: string, error: unknown): unknown {
  if (error instanceof StartError) return error;
  const advice = advices.get(codeOf(error)) ?? "";
  return new StartError(`The backup cannot be written to ${place}: ${reasonOf(error)}.${advice}`, { cause: error });
}

const full = " Free space there, or choose another place. The incomplete backup was removed.";
const advices = new Map<unknown, string>([
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["ENOENT", " Create its folder first."],
]);
