import type { Answer } from "../../web/app/api/call.ts";
import { listAllBots } from "../bots/find-bot.ts";
import { type Call, RefusedCall } from "../service.ts";

type Bot = Answer<"GET /api/v1/bots/:botId">["bot"];

/** A bot of the service, with its retention and its test conversations. */
export type RemoteBot = {
  readonly bot: Bot;
  /** The number of the published version; null if the bot is not published. */
  readonly published: number | null;
  readonly retentionDays: number | null;
  readonly tests: readonly { readonly name: string; readonly isRequired: boolean; readonly conversation: object }[];
};

/** A workspace with its bots, its folders and the names of its credentials. A bot is read again after each write. */
export type Remote = {
  readonly workspaceId: string;
  readonly bots: Map<string, RemoteBot>;
  readonly folders: Answer<"GET /api/v1/folders">["folders"];
  readonly credentials: Answer<"GET /api/v1/workspaces/:workspaceId/credentials">["credentials"];
};

/** The number of bots that are read concurrently. */
const readers = 4;

/** Reads a workspace: its bots that are not archived, its folders, and the names of its credentials. */
export async function readRemote(call: Call, workspaceId: string): Promise<Remote> {
  const entries = await listAllBots(call, workspaceId);
  const bots = new Map<string, RemoteBot>();
  const waiting = entries.values();
  const read = async () => {
    for (const { id, publicationNumber } of waiting) bots.set(id, await readRemoteBot(call, id, publicationNumber));
  };
  await Promise.all(Array.from({ length: readers }, read));
  return {
    workspaceId,
    bots,
    folders: await readAllFolders(call, workspaceId),
    credentials: await readCredentials(call, workspaceId),
  };
}

/** Reads a bot. The draft is converted to the latest version if possible. */
export async function readRemoteBot(call: Call, botId: string, published: number | null): Promise<RemoteBot> {
  const path = { botId };
  const { bot } = await call("GET /api/v1/bots/:botId", { path, query: { migrateToLatestVersion: true } }).catch(
    (error: unknown) => {
      // A flow of an old version without a start event cannot be converted to the latest version, so it is read
      // unconverted.
      if (error instanceof RefusedCall && error.code === "flow.no_start")
        return call("GET /api/v1/bots/:botId", { path });
      throw error;
    },
  );
  const { retention } = await call("GET /api/v1/bots/:botId/results/retention", { path });
  const { testConversations } = await call("GET /api/v1/bots/:botId/testConversations", { path });
  const tests = [];
  for (const { name } of testConversations) {
    const whole = await call("GET /api/v1/bots/:botId/testConversations/:name", { path: { botId, name } });
    const { isRequired, conversation } = whole.testConversation;
    tests.push({ name, isRequired, conversation });
  }
  return { bot, published, retentionDays: retention.days, tests };
}

async function readAllFolders(call: Call, workspaceId: string): Promise<Remote["folders"]> {
  const folders: Remote["folders"] = [];
  let cursor: string | undefined;
  do {
    const page = await call("GET /api/v1/folders", { query: { workspaceId, isDeep: true, limit: 100, cursor } });
    folders.push(...page.folders);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return folders;
}

async function readCredentials(call: Call, workspaceId: string): Promise<Remote["credentials"]> {
  const credentials: Remote["credentials"] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, cursor };
    const page = await call("GET /api/v1/workspaces/:workspaceId/credentials", { path: { workspaceId }, query });
    credentials.push(...page.credentials);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return credentials;
}

/**
 * Returns the name of a folder and of its parent folders, outermost first. The list is empty for a bot that is in no
 * folder.
 */
export function folderPath({ folders }: Remote, folderId: string | null): string[] {
  const names: string[] = [];
  for (let id = folderId; id !== null; ) {
    const folder = folders.find((one) => one.id === id);
    if (!folder) return names;
    names.unshift(folder.name);
    id = folder.parentFolderId;
  }
  return names;
}

/** Returns the id of the folder at a path of names; null for an empty path. Creates folders that do not exist yet. */
export async function makeFolders(call: Call, remote: Remote, path: readonly string[]): Promise<string | null> {
  let parentFolderId: string | null = null;
  for (const name of path) {
    const parent: string | null = parentFolderId;
    const known = remote.folders.find((one) => one.name === name && one.parentFolderId === parent);
    const { workspaceId } = remote;
    const body = { workspaceId, folderName: name, parentFolderId: parent };
    const folder: Remote["folders"][number] = known ?? (await call("POST /api/v1/folders", { body })).folder;
    if (!known) remote.folders.push(folder);
    parentFolderId = folder.id;
  }
  return parentFolderId;
}
