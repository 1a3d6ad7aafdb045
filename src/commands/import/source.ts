import { at, isObject, type Json, listAt, textAt } from "../../web/conversation/read.ts";
import type { Server } from "./server.ts";

export { chooseWorkspace } from "../bots/find-bot.ts";

export type SourceFolder = Named & { readonly parentId: string | null };
export type SourceTheme = Named & { readonly theme: Json };

/** The path segment and the body field for bots, in Parley's own API and in the API of the reference product. */
export type Names = { readonly path: "bots" | "typebots"; readonly one: "bot" | "typebot" };
export const ownNames: Names = { path: "bots", one: "bot" };
export const referenceNames: Names = { path: "typebots", one: "typebot" };

/** Detects whether a server is Parley, and returns the names of its API. */
export async function findNames(server: Server): Promise<Names> {
  const catalogue = await server.find("/api/v1/block-types");
  return Array.isArray(at(catalogue, "blockTypes")) ? ownNames : referenceNames;
}

/** The maximum number of pages that are read, in case a server's list never ends. */
const mostPages = 100_000;

/** Yields all entries of a list. Follows the cursors of a server that returns pages, for at most `mostPages` pages. */
export async function* entriesOf(server: Server, path: string, query: Readonly<Record<string, string>>, name: string) {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer: unknown = await server.get(path, { ...query, ...(cursor !== undefined && { cursor }) });
    yield* listAt(answer, name);
    const next = textAt(answer, "nextCursor");
    if (next === undefined || next === cursor) return;
    cursor = next;
  }
}

type Named = { readonly id: string; readonly name: string };

/** Returns the entries of a list with their ids and names. Repeated ids are returned only once. */
async function namedIn(...list: Parameters<typeof entriesOf>): Promise<Named[]> {
  const found = new Map<string, Named>();
  for await (const one of entriesOf(...list)) {
    const id = idOf(one);
    if (id !== undefined) found.set(id, { id, name: textAt(one, "name") ?? "" });
  }
  return [...found.values()];
}

/** Returns the workspaces that the token can access. */
export function listWorkspaces(server: Server): Promise<Named[]> {
  return namedIn(server, "/api/v1/workspaces", {}, "workspaces");
}

/** Returns all folders of a workspace. Parents come before their children. */
export async function listFolders(server: Server, workspaceId: string): Promise<SourceFolder[]> {
  const found = new Map<string, SourceFolder>();
  const open: (string | null)[] = [null];
  for (let parentId = open.shift(); parentId !== undefined; parentId = open.shift()) {
    const query = { workspaceId, ...(parentId !== null && { parentFolderId: parentId }) };
    for await (const one of entriesOf(server, "/api/v1/folders", query, "folders")) {
      const id = idOf(one);
      // Folders of the reference product may form a cycle.
      if (id === undefined || found.has(id)) continue;
      found.set(id, { id, name: textAt(one, "name") ?? "", parentId });
      open.push(id);
    }
  }
  return [...found.values()];
}

/** Returns a workspace's theme templates, oldest first; an empty list if the server does not support them. */
export async function listThemes(server: Server, workspaceId: string): Promise<SourceTheme[]> {
  const answer = await server.find("/api/v1/themeTemplates", { workspaceId });
  return listAt(answer, "themeTemplates")
    .flatMap((one) => {
      const id = idOf(one);
      const theme = at(one, "theme");
      return id === undefined ? [] : [{ id, name: textAt(one, "name") ?? "", theme: isObject(theme) ? theme : {} }];
    })
    .toReversed();
}

/**
 * Returns a workspace's bots, oldest first, so that the copies are created in this order. Archived bots have a separate
 * list.
 */
export async function listBots(
  server: Server,
  workspaceId: string,
  { names = referenceNames, isArchived = false }: { names?: Names; isArchived?: boolean } = {},
): Promise<Named[]> {
  const query = { workspaceId, ...(isArchived && { isArchived: "true" }) };
  return (await namedIn(server, `/api/v1/${names.path}`, query, names.path)).toReversed();
}

/** Returns a bot's draft; undefined if the bot was deleted meanwhile. */
export async function readBot(server: Server, id: string, names: Names): Promise<Json | undefined> {
  const bot = at(await server.find(`/api/v1/${names.path}/${encodeURIComponent(id)}`), names.one);
  return isObject(bot) ? bot : undefined;
}

/**
 * Returns a bot's draft in the format of an exported file. The draft includes keys of an imported file that this
 * release does not read. Returns undefined if the bot was deleted meanwhile.
 */
export async function readBotFile(server: Server, id: string): Promise<Json | undefined> {
  const file = await server.find(`/api/v1/bots/${encodeURIComponent(id)}/export`);
  return isObject(file) ? file : undefined;
}

/** Returns the published version of a bot; undefined if the bot is not published. */
export async function readPublishedBot(server: Server, id: string): Promise<Json | undefined> {
  const bot = at(await server.find(`/api/v1/typebots/${encodeURIComponent(id)}/publishedTypebot`), "publishedTypebot");
  return isObject(bot) ? bot : undefined;
}

/**
 * Returns a page of a bot's results, newest first, with the cursor of the next page (undefined after the last page).
 * The reference product returns a cursor only if the request has one, and lists only results with answers.
 */
export async function readResults(
  server: Server,
  id: string,
  { cursor, limit, names }: { cursor: string | undefined; limit: number; names: Names },
): Promise<{ results: readonly unknown[]; next: string | undefined }> {
  const first = names === ownNames ? {} : { cursor: "0" };
  const query = { limit: String(limit), timeFilter: "allTime", ...first, ...(cursor !== undefined && { cursor }) };
  const answer = await server.get(`/api/v1/${names.path}/${encodeURIComponent(id)}/results`, query);
  const next = textAt(answer, "nextCursor");
  return { results: listAt(answer, "results"), next: next === (cursor ?? "0") ? undefined : next };
}

/**
 * Returns the id of an entry; undefined if the id is missing or is a property name that all objects have. Ids are used
 * as keys of the state.
 */
function idOf(entry: unknown): string | undefined {
  const id = textAt(entry, "id");
  return id === undefined || id in Object.prototype ? undefined : id;
}
