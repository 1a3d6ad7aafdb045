import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Glob } from "bun";
import { StartError } from "../../config.ts";
import { isId } from "../../platform/ids.ts";
import { isObject } from "../../web/conversation/read.ts";

/** A file by its path, or a bot of the service by its id. */
export type Named = { readonly kind: "file" | "bot"; readonly name: string };

/** The files and bots that a command line names. */
export type AllNamed = {
  readonly all: readonly Named[];
  /**
   * Whether the command line names several files or bots, or a folder. The report then names the file or bot of each
   * part.
   */
  readonly areSeveral: boolean;
};

/**
 * Resolves names of files, folders and bots. A folder includes the JSON files at any depth that `isWanted` accepts,
 * except in `node_modules`. Its invalid JSON files are included, so that they are reported as faults. A bot can be
 * named only by its id, so that a mistyped path is reported as a missing file. Throws a StartError for an unknown name,
 * and for a folder without any such file.
 */
export async function readNames(
  names: readonly string[],
  { isWanted, noun }: { isWanted(content: unknown): boolean; noun: string },
): Promise<AllNamed> {
  const all: Named[] = [];
  let hasFolder = false;
  for (const name of names) {
    const found = await stat(name).catch(() => undefined);
    if (found?.isDirectory()) {
      hasFolder = true;
      const files = await filesIn(name, isWanted);
      if (files.length === 0) throw new StartError(`The folder ${name} has no ${noun}.`);
      all.push(...files.map((file) => ({ kind: "file" as const, name: file })));
    } else if (found) all.push({ kind: "file", name });
    else if (isId(name)) all.push({ kind: "bot", name });
    else throw new StartError(`${name} does not exist: enter a file, a folder, or the id of a bot.`);
  }
  return { all, areSeveral: hasFolder || all.length > 1 };
}

async function filesIn(folder: string, isWanted: (content: unknown) => boolean): Promise<string[]> {
  const files: string[] = [];
  for await (const path of new Glob("**/*.json").scan({ cwd: folder, onlyFiles: true })) {
    if (/(?:^|\/)node_modules\//.test(path)) continue;
    const name = join(folder, path);
    const content: unknown = await Bun.file(name)
      .json()
      .catch(() => notJson);
    if (content === notJson || isWanted(content)) files.push(name);
  }
  return files.toSorted();
}

const notJson = Symbol("no JSON");

/** Returns whether a file contains the flow of a bot. */
export function isFlowFile(content: unknown): boolean {
  return isObject(content) && Array.isArray(content["groups"]);
}

/**
 * Returns whether a file contains a test conversation, a list of them, or the API's list of a bot's test conversations.
 * Checks only the first entry of a list.
 */
export function isTestFile(content: unknown): boolean {
  const [first] = [content].flat();
  return isObject(first) && (Array.isArray(first["turns"]) || Array.isArray(first["testConversations"]));
}

/**
 * Applies a function to each name, one after another. With several names, a StartError becomes the report of its name,
 * and the remaining names are still processed. Any other error is rethrown.
 */
export async function reportEach<Report extends object>(
  all: readonly Named[],
  report: (named: Named) => Promise<Report>,
): Promise<readonly ({ readonly name: string } & (Report | { readonly problem: string }))[]> {
  const reports = [];
  for (const named of all) {
    try {
      reports.push({ name: named.name, ...(await report(named)) });
    } catch (error) {
      if (all.length === 1 || !(error instanceof StartError)) throw error;
      reports.push({ name: named.name, problem: error.message });
    }
  }
  return reports;
}
