import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AppError } from "../../errors.ts";
import { sync } from "../durable-files.ts";
import { codeOf } from "../thrown.ts";
import { type Storage, storedName } from "./storage.ts";

/** Stores files in a folder of this machine, for one node or for several nodes that share the folder. */
export function createFolderStorage(dataFolder: string): Storage {
  const root = resolve(dataFolder, "uploads");
  const pathOf = (id: string) => join(root, storedName(id));
  return {
    arrivals: join(root, "arriving"),
    keep: (id, { path }) =>
      orUnavailable(async () => {
        const target = pathOf(id);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await sync(path);
        await rename(path, target);
        await sync(dirname(target));
      }),
    read: (id, range) =>
      orUnavailable(async () => {
        if (!(await isThere(pathOf(id)))) return undefined;
        const file = Bun.file(pathOf(id));
        return range ? file.slice(range.first, range.last + 1) : file;
      }),
    remove: (id) => orUnavailable(() => rm(pathOf(id), { force: true })),
  };
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new AppError("storage.unavailable", { cause: error });
  }
}
