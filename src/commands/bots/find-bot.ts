import { existsSync } from "node:fs";
import { StartError } from "../../config.ts";
import { isId } from "../../platform/ids.ts";
import type { Answer } from "../../web/app/api/call.ts";
import { UsageError } from "../command.ts";
import { type Call, RefusedCall } from "../service.ts";

export type BotSummary = Answer<"GET /api/v1/bots">["bots"][number];

type ListQuery = { readonly search?: string; readonly isArchived?: boolean; readonly isPublished?: boolean };

/** Returns all bots of a workspace that match the filter, sorted by name. Reads all pages. */
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
 * Returns the id of the workspace with this name. If the name is already an id, it is returned without a check. Without
 * a name, returns the only workspace of the token. Throws a StartError if there is no unique match.
 */
export async function findWorkspace(call: Call, { name, url }: { name: string | undefined; url: string }) {
  if (name !== undefined && isId(name)) return name;
  const { workspaces } = await call("GET /api/v1/workspaces");
  return chooseWorkspace(workspaces, name, { origin: url, option: "--workspace" });
}

type Workspace = { readonly id: string; readonly name: string };

/**
 * Returns the id of the workspace in the list with this id or name. Without a name, returns the only workspace. Throws
 * a StartError if there is no unique match.
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
  if (names === "") throw new StartError(`The token for ${origin} has access to no workspace: create one first.`);
  throw new StartError(`Choose a workspace of ${origin}: ${option} with one of ${names}.`);
}

/**
 * The bots among which a name is looked up: active bots, active and archived bots (`anywhere`), or archived and deleted
 * bots (`restorable`).
 */
export type Among = "active" | "anywhere" | "restorable";

type Named = { readonly id: string; readonly name: string };
type Found = Named & { readonly workspace: string };

/**
 * Returns the id of the bot with this public id or name. If the name is already an id, it is returned without a check.
 * Bots in the bin match only by name. With `active`, an archived bot matches only if no active bot does, and the
 * service then rejects the operation. Throws a StartError unless exactly one bot matches, and a UsageError if the name
 * is the path of a file.
 */
export async function findBot(call: Call, name: string, among: Among = "anywhere"): Promise<string> {
  if (isId(name)) return name;
  if (existsSync(name)) throw new UsageError(`"${name}" is a file: enter the id, the public id or the name of a bot.`);
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
    return `no bot has the id, the public id or the name "${name}". "parley bots list" lists all bots.`;
  return `no archived bot has the public id or the name "${name}", and no bot in the bin has the name. "parley bots list --archived" lists the archived bots.`;
}

/**
 * The service rejects longer search texts, so the search uses only the start of a name. The whole name is compared
 * afterwards.
 */
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

/**
 * Returns the bots that `list` finds in the token's workspaces. Skips workspaces that forbid the list: a GUEST has no
 * access to the bin.
 */
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
