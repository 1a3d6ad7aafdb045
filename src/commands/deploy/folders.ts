import { existsSync } from "node:fs";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { StartError } from "../../config.ts";
import { convertToLatest } from "../../core/flow/convert.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import { isObject } from "../../web/conversation/read.ts";
import { flowIn } from "../files/flow-file.ts";
import { readJsonFile } from "../files/json-file.ts";
import { type BotFiles, botFile, botText, testNameOf, testText } from "./bot-files.ts";
import { keepWithin } from "./keep-within.ts";

/** A bot of the folder, with its files in canonical form. */
export type LocalBot = {
  readonly files: BotFiles;
  /** Whether the files on the disk are already in canonical form. */
  readonly isStable: boolean;
};

/**
 * Returns the bots below a root, sorted by folder. Every folder below the root that contains a `bot.json` is a bot,
 * except in `node_modules` and in hidden folders. The map is empty if the root does not exist. Throws a StartError for
 * an invalid file.
 */
export async function readFolders(root: string): Promise<Map<string, LocalBot>> {
  const folders: string[] = [];
  if (!existsSync(root)) return new Map();
  for await (const path of new Glob(`**/${botFile}`).scan({ cwd: root, onlyFiles: true })) {
    if (!/(?:^|\/)node_modules\//.test(path) && path !== botFile) folders.push(dirname(path).replaceAll("\\", "/"));
  }
  const bots = new Map<string, LocalBot>();
  for (const folder of folders.toSorted()) bots.set(folder, await readFolder(root, join(root, folder)));
  return bots;
}

async function readFolder(root: string, folder: string): Promise<LocalBot> {
  const path = join(folder, botFile);
  const content = await readJsonFile(path);
  const { version, events, groups, edges } = latestOf(flowIn(content, path));
  const files = new Map([
    [botFile, botText(isObject(content) && { ...content, version, events, groups, edges }, path)],
  ]);
  for await (const name of new Glob("tests/*.json").scan({ cwd: folder, onlyFiles: true })) {
    const place = join(folder, name);
    await keepWithin(root, place);
    if (testNameOf(name) === undefined)
      throw new StartError(`${place} cannot be the name of a test: use letters, digits, ".", "_" and "-".`);
    files.set(name, testText(await readJsonFile(place), place));
  }
  const texts = await Promise.all([...files.keys()].map((name) => Bun.file(join(folder, name)).text()));
  return { files, isStable: [...files.values()].every((text, index) => text === texts[index]) };
}

/**
 * Converts a flow of an earlier version to the latest version, as the service does. Theme and settings have the same
 * format in all versions.
 */
function latestOf(flow: StoredFlow): StoredFlow {
  return convertToLatest(flow) ?? flow;
}

/**
 * Writes the files of a bot to its folder below the root, and removes files that the bot no longer has. Other files in
 * the folder remain. Throws a StartError if a file cannot be written or its path leaves the root.
 */
export async function writeFolder(
  { root, folder }: { readonly root: string; readonly folder: string },
  files: BotFiles,
  before: BotFiles | undefined,
): Promise<void> {
  for (const name of files.keys()) await keepWithin(root, join(folder, name));
  for (const name of before?.keys() ?? []) if (!files.has(name)) await rm(join(folder, name));
  for (const [name, text] of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await Bun.write(path, text).catch((cause: Error) => {
      throw new StartError(`${path} cannot be written: ${cause.message}`, { cause });
    });
  }
}

/** Removes the files of a bot, and then the folders that are empty. */
export async function removeFolder(folder: string, files: BotFiles): Promise<void> {
  for (const name of files.keys()) await rm(join(folder, name), { force: true });
  // Removes only empty folders, because a folder may contain links and files that do not belong to the bot.
  for (const path of [join(folder, "tests"), folder]) await rmdir(path).catch(() => undefined);
}

/**
 * Returns a free folder name that is derived from the bot's name. It consists of digits and lower-case letters from a
 * to z, joined by hyphens, and ends in a number if the name is taken.
 */
export function folderNameFor(name: string, taken: (folder: string) => boolean): string {
  const plain = name.normalize("NFKD").toLowerCase().replaceAll(/\p{M}/gu, "");
  const base =
    plain
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 60) || "bot";
  for (let number = 1; ; number++) {
    const folder = number === 1 ? base : `${base}-${number}`;
    if (!taken(folder)) return folder;
  }
}
