import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartError } from "../../config.ts";
import { at, isObject, type Json, listAt, numberAt, textAt } from "../../web/conversation/read.ts";
import { type Environment, UsageError } from "../command.ts";
import { readJsonFile } from "../files/json-file.ts";
import { knownToken } from "../service.ts";
import { defaultUrl } from "../service-options.ts";
import { keepWithin } from "./keep-within.ts";
import { stableJson } from "./stable-json.ts";

/** An environment of `parley.json`: the address of a service and a workspace of this service. */
export type Place = {
  readonly name: string;
  readonly url: string;
  /** The id or the name of the workspace; undefined for the only workspace of the token. */
  readonly workspace: string | undefined;
  /** The environment variable that contains the token, if `parley.json` names a variable. */
  readonly tokenVariable: string | undefined;
  /** The public ids of the environment's bots, by folder. */
  readonly publicIds: Readonly<Record<string, string>>;
};

/** The lock's record of a bot: its id and its state in the environment. */
export type LockedBot = {
  readonly id: string;
  /** The hash of the bot's content at the last pull or deploy. */
  readonly base: string;
  readonly revision: number;
  /**
   * The number of the published version; null if there is none. Undefined if an older `parley`, which did not record
   * this number, wrote the lock.
   */
  readonly published: number | null | undefined;
  /** Set if a deploy wrote the draft in order to publish it, but has not published it yet. */
  readonly isPublishing?: true;
};

/** The content of `parley.ENVIRONMENT.lock.json`: the environment's state at the last pull or deploy. */
export type Lock = { readonly workspaceId: string | undefined; readonly bots: Map<string, LockedBot> };

const projectFile = "parley.json";
const namePattern = /^[a-z0-9][a-z0-9-]*$/;

export type PlaceOptions = { readonly url?: string; readonly workspace?: string };

/**
 * Returns an environment from `parley.json`, or a new environment made from the options. Does not write the new
 * environment. Throws a UsageError for an invalid name and for options that contradict the file, and a StartError if
 * the address is unknown.
 */
export async function readPlace(
  root: string,
  name: string,
  { url, workspace, environment }: PlaceOptions & { readonly environment: Environment },
): Promise<{ place: Place; isNew: boolean }> {
  if (!namePattern.test(name))
    throw new UsageError(`"${name}" is not a valid name of an environment: use a-z, 0-9 and -.`);
  const project = await readProject(root);
  const environments = isObject(project["environments"]) ? project["environments"] : {};
  const known = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (known === undefined) {
    const given = url ?? environment["PARLEY_URL"];
    const isFirst = Object.keys(environments).length === 0;
    if (given === undefined && !isFirst) {
      throw new StartError(
        `${join(root, projectFile)} has no environment "${name}", only ${Object.keys(environments).join(", ")}. Use --url and --workspace to add it.`,
      );
    }
    const place = { name, url: given ?? defaultUrl(environment), workspace, tokenVariable: undefined, publicIds: {} };
    return { place, isNew: true };
  }
  if (url !== undefined || workspace !== undefined) {
    throw new UsageError(
      `--url and --workspace are only for a new environment: ${projectFile} already contains the address of "${name}".`,
    );
  }
  const address = textAt(known, "url");
  if (address === undefined) throw new StartError(`${join(root, projectFile)} has no url for "${name}".`);
  const publicIds = isObject(known) && isObject(known["publicIds"]) ? known["publicIds"] : {};
  return {
    place: {
      ...{ name, url: address },
      workspace: textAt(known, "workspace"),
      tokenVariable: textAt(known, "tokenVariable"),
      publicIds: Object.fromEntries(Object.entries(publicIds).map(([folder, id]) => [folder, String(id)])),
    },
    isNew: false,
  };
}

export type TokenOptions = { readonly token?: string | undefined; readonly tokenFrom?: string | undefined };

/**
 * Returns the token for an environment: the given token, or the token in the environment's own variable. If no variable
 * is named, falls back to the token that every command uses.
 *
 * Throws a UsageError if there is no token. Also throws a UsageError if the repository names a variable that does not
 * begin with `PARLEY_`, because the repository also determines where the token is sent.
 */
export function tokenFor(
  { name, url, tokenVariable }: Place,
  { token: given, tokenFrom }: TokenOptions,
  environment: Environment,
): string {
  const named = tokenFrom ?? tokenVariable;
  const own = named ?? `PARLEY_TOKEN_${name.toUpperCase().replaceAll("-", "_")}`;
  if (given === undefined && tokenFrom === undefined && !own.startsWith("PARLEY_")) {
    throw new UsageError(
      `${projectFile} refers to ${own} for "${name}". A tokenVariable must begin with PARLEY_, because its value is sent to the address in the file. If ${own} is correct, use --token-from ${own}.`,
    );
  }
  const token = given ?? environment[own] ?? (named === undefined ? knownToken(environment, url) : undefined);
  if (token) return token;
  throw new UsageError(`Set the API token for "${name}": ${own} in the environment, or --token.`);
}

/** Writes an environment into `parley.json`. The other environments remain unchanged. */
export async function addPlace(root: string, { name, url }: Place, workspaceId: string): Promise<void> {
  const project = await readProject(root);
  const environments = isObject(project["environments"]) ? project["environments"] : {};
  const added = { ...project, environments: { ...environments, [name]: { url, workspace: workspaceId } } };
  await writeWhole(join(root, projectFile), `${JSON.stringify(added, undefined, 2)}\n`);
}

async function readProject(root: string): Promise<Json> {
  const path = join(root, projectFile);
  if (!(await Bun.file(path).exists())) return {};
  const project = await readJsonFile(path);
  if (!isObject(project)) throw new StartError(`${path} must be a JSON object.`);
  return project;
}

const format = 1;

function lockFile(root: string, name: string): string {
  return join(root, `parley.${name}.lock.json`);
}

/**
 * Reads the lock of an environment. Returns an empty lock if the file does not exist yet. Throws a StartError for a
 * damaged lock, or for a lock of another format.
 */
export async function readLock(root: string, name: string): Promise<Lock> {
  const path = lockFile(root, name);
  const bots = new Map<string, LockedBot>();
  if (!(await Bun.file(path).exists())) return { workspaceId: undefined, bots };
  const lock = await readJsonFile(path);
  if (numberAt(lock, "format") !== format)
    throw new StartError(`${path} was written by another release of Parley: pull again.`);
  for (const bot of listAt(lock, "bots")) {
    const [folder, id] = [textAt(bot, "folder"), textAt(bot, "id")];
    if (folder === undefined || id === undefined || !isFolder(folder)) throw new StartError(`${path} is damaged.`);
    bots.set(folder, {
      ...{ id, base: textAt(bot, "base") ?? "", revision: numberAt(bot, "revision") ?? 0 },
      published: at(bot, "published") === null ? null : numberAt(bot, "published"),
      ...(at(bot, "isPublishing") === true && { isPublishing: true }),
    });
  }
  return { workspaceId: textAt(lock, "workspaceId"), bots };
}

export async function writeLock(root: string, name: string, { workspaceId, bots }: Lock): Promise<void> {
  const list = [...bots].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([folder, bot]) => ({ folder, ...bot }));
  const text = stableJson({ format, workspaceId, bots: list });
  const path = lockFile(root, name);
  if ((await Bun.file(path).exists()) && (await Bun.file(path).text()) === text) return;
  await writeWhole(path, text);
}

/**
 * Returns whether a text is the path of a folder below the root, as `pull` writes it. Hidden folders are not allowed.
 */
export function isFolder(folder: string): boolean {
  return !/[\\:\p{Cc}]/u.test(folder) && folder.split("/").every((part) => part !== "" && !part.startsWith("."));
}

/** Replaces a file atomically: writes a new file next to it, and renames the new file at the end. */
async function writeWhole(path: string, text: string): Promise<void> {
  await keepWithin(dirname(path), `${path}.new`);
  try {
    await Bun.write(`${path}.new`, text);
    await rename(`${path}.new`, path);
  } catch (cause) {
    throw new StartError(`${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
