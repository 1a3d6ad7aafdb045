import { existsSync } from "node:fs";
import { StartError } from "../../config.ts";
import { isId } from "../../platform/ids.ts";
import type { Answer } from "../../web/app/api/call.ts";
import { UsageError } from "../command.ts";
import type { Call } from "../service.ts";

export type BotSummary = Answer<"GET /api/v1/bots">["bots"][number];

type ListQuery = { readonly search?: string; readonly isArchived?: boolean; readonly isPublished?: boolean };

/** All bots of a workspace that the filter names, page by page, sorted by name. */
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

/** The id of a workspace that is named by its id or its name; without a name, of the only one that the token sees. Throws a StartError. */
export async function findWorkspace(call: Call, { name, url }: { name: string | undefined; url: string }) {
  if (name !== undefined && isId(name)) return name;
  const { workspaces } = await call("GET /api/v1/workspaces");
  return chooseWorkspace(workspaces, name, { origin: url, option: "--workspace" });
}

type Workspace = { readonly id: string; readonly name: string };

/** The id of the workspace in a list that has this id or name; without a name, of the only one. Throws a StartError that names the option to choose one. */
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

/** The id of a bot that is named by its id, its public id or its name. Throws a StartError when there is none, or there are several. */
export async function findBot(call: Call, name: string): Promise<string> {
  if (isId(name)) return name;
  if (existsSync(name)) throw new UsageError(`"${name}" is a file: name a bot by its id, its public id or its name.`);
  const { workspaces } = await call("GET /api/v1/workspaces");
  const found = new Map<string, { readonly bot: BotSummary; readonly workspace: string }>();
  for (const { id, name: workspace } of workspaces) {
    for (const isArchived of [false, true]) {
      const bots = await listAllBots(call, id, { search: name.slice(0, mostSearched), isArchived });
      for (const bot of bots) if (bot.publicId === name || bot.name === name) found.set(bot.id, { bot, workspace });
    }
  }
  const [first, ...others] = found.values();
  if (first === undefined) {
    throw new StartError(
      `Bot not found: none has the id, the public id or the name "${name}". "parley bots list" shows all.`,
    );
  }
  if (others.length === 0) return first.bot.id;
  const all = [first, ...others].map(({ bot, workspace }) => `${bot.id} ("${bot.name}" in "${workspace}")`);
  throw new StartError(`Several bots have the name "${name}". Use the id of one: ${all.join(", ")}.`);
}

/** The service searches for no longer text; the whole name is compared here. */
const mostSearched = 200;
