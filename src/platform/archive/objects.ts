import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type Config, StartError } from "../../config.ts";
import { listObjects, openBucket, readS3Address } from "../backup/s3.ts";
import { within } from "../concurrency/within.ts";
import { writeDurably } from "../durable-files.ts";
import { codeOf, reasonOf } from "../thrown.ts";

/** An S3 storage that does not respond within this time is treated as unavailable. */
const answerMs = 30_000;

/**
 * The storage of an archive. Object names contain slashes, for example `wal/000000010000000000000001`. All methods
 * reject with a StartError if the storage fails.
 */
export type Objects = {
  /** The location's name as shown to operators. */
  readonly place: string;
  /** Stores the object durably, and either completely or not at all. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  remove(name: string): Promise<void>;
  /** Returns the objects whose names begin with `prefix`, sorted by name. */
  list(prefix: string): Promise<{ readonly name: string; readonly bytes: number }[]>;
};

/** Opens a folder, or an address such as `s3://bucket/prefix` with the storage settings from the configuration. */
export function openObjects(place: string, config: Config): Objects {
  const address = readS3Address(place);
  return address ? inBucket(place, address, config) : inFolder(resolve(place));
}

/** Returns the address of a subfolder. */
export function below(place: string, name: string): string {
  return `${place.replace(/\/$/, "")}/${name}`;
}

function inFolder(root: string): Objects {
  const saying =
    <Args extends unknown[], Result>(verb: string, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> =>
      await work(...args).catch((error: unknown) => {
        throw failure(root, verb, error);
      });
  return {
    place: root,
    put: saying("written to", async (name: string, bytes: Uint8Array) => {
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeDurably(path, [bytes]);
    }),
    get: saying("read", (name: string) =>
      orUndefined(readFile(join(root, name)).then((bytes) => new Uint8Array(bytes))),
    ),
    remove: saying("written to", (name: string) => rm(join(root, name), { force: true })),
    list: saying("read", async (prefix: string) => {
      const folder = prefix.includes("/") ? join(root, dirname(`${prefix}x`)) : root;
      const entries = (await orUndefined(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
      const files = entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".unfinished"))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .filter((name) => name.startsWith(prefix))
        .toSorted();
      const sizes = await Promise.all(files.map((name) => orUndefined(stat(join(root, name)))));
      return files.flatMap((name, index) => {
        const size = sizes[index]?.size;
        return size === undefined ? [] : [{ name, bytes: size }];
      });
    }),
  };
}

function inBucket(place: string, { bucket, name }: { bucket: string; name: string }, config: Config): Objects {
  const client = openBucket(bucket, config);
  const prefix = name === "" ? "" : `${name.replace(/\/$/, "")}/`;
  const silent = (): never => {
    throw new Error(`it has not responded for ${answerMs / 1_000} s`);
  };
  const saying = async <Result>(verb: string, work: Promise<Result>): Promise<Result> =>
    await within(answerMs, work, silent).catch((error: unknown) => {
      throw failure(place, verb, error);
    });
  return {
    place,
    put: (object, bytes) =>
      saying(
        "written to",
        client.write(`${prefix}${object}`, bytes).then(() => {}),
      ),
    get: (object) => saying("read", orUndefined(client.file(`${prefix}${object}`).bytes())),
    remove: (object) => saying("written to", client.delete(`${prefix}${object}`)),
    list: (begin) =>
      saying(
        "read",
        listObjects(client, `${prefix}${begin}`).then((objects) =>
          objects.map((object) => ({ ...object, name: object.name.slice(prefix.length) })),
        ),
      ),
  };
}

async function orUndefined<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (["ENOENT", "NoSuchKey"].includes(String(codeOf(error)))) return undefined;
    throw error;
  }
}

function failure(place: string, verb: string, error: unknown): StartError {
  const advice = advices.find(({ codes }) => codes.test(String(codeOf(error))))?.advice ?? "";
  const reason = reasonOf(error).replace(/\.$/, "");
  return new StartError(`The archive ${place} cannot be ${verb}: ${reason}.${advice}`, { cause: error });
}

const advices = [
  { codes: /^(ENOSPC|EDQUOT)$/, advice: " Free space there." },
  { codes: /^(EACCES|EPERM|EROFS)$/, advice: " Let Parley's user write there." },
];
