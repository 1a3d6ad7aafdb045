import { posix } from "node:path";
import { StartError } from "../../config.ts";
import { isObject } from "../../web/conversation/read.ts";
import { withNames } from "../files/references.ts";
import { type BotFiles, botFile, botText, testFile, testNameOf, testText } from "./bot-files.ts";
import { folderPath, type Remote, type RemoteBot } from "./remote.ts";

/** The ids of bots by folder. */
export type Ids = ReadonlyMap<string, string>;

/**
 * Converts a bot of the service to its files. Links become paths to the files of other bots, and ids of credentials
 * become their type and name. Throws a StartError if the name of a test cannot be used as a file name.
 */
export function render(remote: Remote, one: RemoteBot, { folder, ids }: { folder: string; ids: Ids }): BotFiles {
  const { bot, retentionDays, tests } = one;
  const names = {
    bot: (id: string) => linkTo(folderOf(ids, id), folder),
    credentials: (id: string) => credentialsName(remote, id),
  };
  const { name, icon, version, events, groups, edges, variables, theme, settings, editor } = bot;
  const content = {
    ...{ name, icon, folder: folderPath(remote, bot.folderId), retentionDays },
    requiredTests: tests.filter(({ isRequired }) => isRequired).map((test) => test.name),
    ...{ version, events, edges, variables, theme, settings, editor },
    groups: withNames(groups, names),
  };
  const files = new Map([[botFile, botText(content, name)]]);
  for (const test of tests) {
    // Parley checks the names of tests, but the server may be another program.
    if (testNameOf(testFile(test.name)) === undefined)
      throw new StartError(
        `${JSON.stringify(test.name)}, a test of ${JSON.stringify(name)}, cannot be used as a file name.`,
      );
    const conversation = withLinkedFlows(test.conversation, names.bot, names);
    files.set(testFile(test.name), testText(conversation, test.name));
  }
  return files;
}

/** Returns a test conversation with renamed linked flows. Both their keys and the references in them are renamed. */
export function withLinkedFlows(
  conversation: object,
  rename: (name: string) => string | undefined,
  names: Parameters<typeof withNames>[1],
): object {
  const linked = "linkedFlows" in conversation ? conversation.linkedFlows : undefined;
  if (!isObject(linked)) return conversation;
  const flows = Object.entries(linked).map(([id, flow]) => [rename(id) ?? id, withNames(flow, names)]);
  return { ...conversation, linkedFlows: Object.fromEntries(flows) };
}

function folderOf(ids: Ids, id: string): string | undefined {
  return [...ids].find(([, each]) => each === id)?.[0];
}

function linkTo(target: string | undefined, folder: string): string | undefined {
  return target === undefined ? undefined : posix.relative(folder, posix.join(target, botFile));
}

/** Returns the folder that a link refers to; undefined if the link is an id. */
export function folderOfLink(link: string, folder: string): string | undefined {
  if (!link.endsWith(`/${botFile}`)) return undefined;
  return posix.dirname(posix.join(folder, link));
}

const credentialsPrefix = "credentials:";

/**
 * Returns `credentials:TYPE/NAME`; undefined if the credentials do not exist or share their type and name with others.
 */
function credentialsName({ credentials }: Remote, id: string): string | undefined {
  const found = credentials.find((one) => one.id === id);
  if (!found) return undefined;
  const same = credentials.filter((one) => one.type === found.type && one.name === found.name);
  return same.length === 1 ? `${credentialsPrefix}${found.type}/${found.name}` : undefined;
}

/**
 * Returns the id of the credentials with this name. Returns null if the workspace has none or several with the name,
 * and undefined if the name is an id.
 */
export function credentialsOf({ credentials }: Remote, name: string): string | null | undefined {
  if (!name.startsWith(credentialsPrefix)) return undefined;
  const named = credentials.filter((one) => `${credentialsPrefix}${one.type}/${one.name}` === name);
  return named.length === 1 ? (named[0]?.id ?? null) : null;
}
