import { createHash } from "node:crypto";
import { StartError } from "../../config.ts";
import { isObject, type Json, textAt } from "../../web/conversation/read.ts";
import { stableJson } from "./stable-json.ts";

/**
 * The files of a bot by their paths in the bot's folder: `bot.json`, and `tests/NAME.json` for each test conversation.
 */
export type BotFiles = ReadonlyMap<string, string>;

export const botFile = "bot.json";

/** The parts of a flow in `bot.json`, with defaults for missing parts. */
const flow = { version: "6.1", variables: [], events: null, groups: [], edges: [], theme: {}, settings: {} };

/**
 * The fields of `bot.json`, in order. All other fields of a bot belong to an environment: ids, addresses, times, and
 * whether the bot is closed.
 */
const members = ["name", "icon", "folder", "retentionDays", "requiredTests", ...Object.keys(flow), "editor"];

/** Fields of exported bots that have no meaning in another environment. */
const ofExports = [
  ...["id", "folderId", "selectedThemeTemplateId", "resultsTablePreferences", "createdAt", "updatedAt"],
  ...[
    "workspaceId",
    "spaceId",
    "publicId",
    "customDomain",
    "isArchived",
    "isClosed",
    "riskLevel",
    "whatsAppCredentialsId",
  ],
];

/** Returns the path of a test conversation's file. */
export function testFile(name: string): string {
  return `tests/${name}.json`;
}

/** Returns the name of the test conversation in a file; undefined for any other file. */
export function testNameOf(path: string): string | undefined {
  return /^tests\/([A-Za-z0-9][A-Za-z0-9._-]{0,99})\.json$/.exec(path)?.[1];
}

/**
 * Returns `bot.json` in its canonical form: known fields in a fixed order, without fields that are null or an empty
 * list. The parts of the flow are always included. Ignores the fields of exports. Throws a StartError for any other
 * unknown field, for a missing name, and for a value that is not an object.
 */
export function botText(content: unknown, place: string): string {
  if (!isObject(content)) throw new StartError(`${place} is not a bot: it must be a JSON object.`);
  const unknown = Object.keys(content).find((key) => !members.includes(key) && !ofExports.includes(key));
  if (unknown !== undefined) {
    throw new StartError(`${place} has an unknown member "${unknown}". docs/git.md lists the known members.`);
  }
  if (!textAt(content, "name")) throw new StartError(`${place} has no name.`);
  const whole: Json = { ...flow, ...content };
  const entries = members.flatMap((key): [string, unknown][] => {
    const value = key === "requiredTests" && Array.isArray(whole[key]) ? whole[key].toSorted() : whole[key];
    const saysNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return saysNothing && !(key in flow) ? [] : [[key, value]];
  });
  return stableJson(Object.fromEntries(entries));
}

/**
 * Returns a test conversation in its canonical form. Its `flow` refers to `bot.json`, so that `parley test` can run the
 * file. Throws a StartError if the conversation is not a JSON object.
 */
export function testText(conversation: unknown, place: string): string {
  if (!isObject(conversation)) throw new StartError(`${place} is not a test conversation: it must be a JSON object.`);
  const { title, turns, flow: _, ...others } = conversation;
  const middle = Object.fromEntries(Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return stableJson({ title, flow: "../bot.json", ...middle, turns });
}

/** Parses `bot.json`. Returns an empty object if the bot has no such file. */
export function contentOf(files: BotFiles): Json {
  const content: unknown = JSON.parse(files.get(botFile) ?? "{}");
  return isObject(content) ? content : {};
}

/** Returns a hash of a bot's content. Equal files have equal hashes in every environment. */
export function markOf(files: BotFiles): string {
  const hash = createHash("sha256");
  for (const [path, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${path}\0${text}\0`);
  return hash.digest("hex");
}

/** Returns the bot's name from its files; empty if it has none. */
export function nameOf({ files }: { readonly files: BotFiles }): string {
  return textAt(contentOf(files), "name") ?? "";
}
