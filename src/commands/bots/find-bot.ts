import { existsSync } from "node:fs";
import { StartError } from "../../config.ts";
import { isId } from "../../platform/ids.ts";
import type { Answer } from "../../web/app/api/call.ts";
import { UsageError } from "../command.ts";
import { type Call, RefusedCall } from "../service.ts";

export type BotSummary = Answer<"GET /api/v1/bots">["bots"][number];

type ListQuery = { readonly search?: string; readonly isArchived?: boolean; readonly isPublished?: boolean };

/** All bots of a workspace that match the filter, page by page, sorted by name. */
export async function listAllBots(call: Call, workspaceId: string, query: ListQuery = {}): Promise<BotSummary[]> {
  const bots: BotSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await call("GET /api/v1/bots", { query: { ...query, workspaceId, cursor, limit: 100, sort: "name" } });
    bots.push(...page.bots);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return bots;
}

/**
 * The id of the workspace with this id or name; without a name, of the only one that the token sees. Throws a
 * StartError.
 */
export async function findWorkspace(call: Call, { name, url }: { name: string | undefined; url: string }) {
  if (name !== undefined && isId(name)) return name;
  const { workspaces } = await call("GET /api/v1/workspaces");
  return chooseWorkspace(workspaces, name, { origin: url, option: "--workspace" });
}

type Workspace = { readonly id: string; readonly name: string };

/**
 * The id of the workspace in a list that has this id or name; without a name, of the only one. Throws a StartError that
 * names the option to choose one.
 */
export function chooseWorkspace(
  workspaces: readonly Workspace[],
  name: string | undefined,
  { origin, option }: { origin: string; option: string },
): string {
  const named = name === undefined ? workspaces : workspaces.filter((one) => one.id === name || one.name === name);
  if (name !== undefined && named.length === 0)
    throw new StartError(`Workspace not found: no workspace of ${origin} has the id or the name "${name}".`);
  const [only, ...others] = named;
  if (only && others.length === 0) return only.id;
  const names = named.map((one) => `${one.id} (${JSON.stringify(one.name)})`).join(", ");
  if (names === "") throw new StartError(`The token for ${origin} sees no workspace: make one first.`);
  throw new StartError(`Say which workspace of ${origin}: ${option} with one of ${names}.`);
}

/** The bots that an act applies to: those in use, with `anywhere` also archived ones, or those that can be restored. */
export type Among = "active" | "anywhere" | "restorable";

type Named = { readonly id: string; readonly name: string };
type Found = Named & { readonly workspace: string };

/**
 * The id of the bot with this id, public id or name, or in the bin with this name. Throws a StartError when no bot or
 * several bots match. An act on bots in use gets an archived bot, and so the service's refusal, only if no other bot
 * has the name.
 */
export async function findBot(call: Call, name: string, among: Among = "anywhere"): Promise<string> {
  if (isId(name)) return name;
  if (existsSync(name)) throw new UsageError(`"${name}" is a file: name a bot by its id, its public id or its name.`);
  const active = among === "restorable" ? [] : await listNamed(call, name, false);
  const isEnough = among === "active" && active.length > 0;
  const archived = isEnough ? [] : await listNamed(call, name, true);
  const deleted = among === "restorable" ? await listDeleted(call, name) : [];
  const [first, ...others] = [...active, ...archived, ...deleted];
  if (first === undefined) throw new StartError(`Bot not found: ${notFound(name, among)}`);
  if (others.length === 0) return first.id;
  const all = [first, ...others].map((bot) => `${bot.id} ("${bot.name}" in "${bot.workspace}")`);
  throw new StartError(`Several bots have the name "${name}". Use the id of one: ${all.join(", ")}.`);
}

function notFound(name: string, among: Among): string {
  if (among !== "restorable")
    return `none has the id, the public id or the name "${name}". "parley bots list" shows all.`;
  return `no archived one has the public id or the name "${name}", and none in the bin has the name. "parley bots list --archived" shows the archived ones.`;
}

/** The service rejects longer search texts; the whole name is compared here. */
const mostSearched = 200;

async function listNamed(call: Call, name: string, isArchived: boolean): Promise<Found[]> {
  return inWorkspaces(call, async (workspaceId) => {
    const bots = await listAllBots(call, workspaceId, { search: name.slice(0, mostSearched), isArchived });
    return bots.filter((bot) => bot.publicId === name || bot.name === name);
  });
}

async function listDeleted(call: Call, name: string): Promise<Found[]> {
  return inWorkspaces(call, async (workspaceId) => {
    const bots: Named[] = [];
    let cursor: string | undefined;
    do {
      const page = await call("GET /api/v1/workspaces/:workspaceId/bin", {
        path: { workspaceId },
        query: { cursor, limit: 100 },
      });
      bots.push(...page.entries.filter((entry) => entry.kind === "bot" && entry.name === name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return bots;
  });
}

/** The bots of a list in the workspaces of the token. GUESTs see no bin. */
async function inWorkspaces(call: Call, list: (workspaceId: string) => Promise<readonly Named[]>): Promise<Found[]> {
  const { workspaces } = await call("GET /api/v1/workspaces");
  const found: Found[] = [];
  for (const { id: workspaceId, name: workspace } of workspaces) {
    const bots = await list(workspaceId).catch((error) => {
      if (error instanceof RefusedCall && error.code === "workspace.forbidden") return [];
      throw error;
    });
    found.push(...bots.map(({ id, name }) => ({ id, name, workspace })));
  }
  return found;
}
