import { StartError } from "../../config.ts";
import type { Answer } from "../../web/app/api/call.ts";
import { findWorkspace } from "../bots/find-bot.ts";
import { printJson, type Tools, UsageError } from "../command.ts";
import { printTable, timeText } from "../output/table.ts";
import { type Call, openCalls, RefusedCall } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";

export type ChannelOptions = JsonServiceOptions & { readonly workspace?: string };

type Connection = Answer<"GET /api/v1/workspaces/:workspaceId/channel-connections">["channelConnections"][number];

/** Prints the connections of the named workspace, or of all workspaces of the token. */
export async function printConnections(tools: Tools, options: ChannelOptions): Promise<void> {
  const call = openCalls(options, tools.environment);
  const channelConnections = await listConnections(call, options);
  if (options.json) return printJson(tools, { channelConnections });
  const rows = channelConnections.map(({ id, name, channel, display, isEnabled, disabledReason, ...times }) => [
    ...[id, name, channel, display ?? ""],
    isEnabled ? (times.failingSince === null ? "on" : "failing") : `off (${disabledReason ?? "by_hand"})`,
    times.lastInboundAt === null ? "" : timeText(times.lastInboundAt),
  ]);
  printTable(tools, ["ID", "NAME", "CHANNEL", "ACCOUNT", "STATE", "LAST MESSAGE"], rows);
}

/** Checks one connection, or all connections, and prints the problems of each. */
export async function checkConnections(
  tools: Tools,
  named: string | undefined,
  options: ChannelOptions,
): Promise<void> {
  const call = openCalls(options, tools.environment);
  const checks: object[] = [];
  for (const connection of choose(await listConnections(call, options), named)) {
    const { check } = await call("POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/check", {
      path: placeOf(connection),
    }).catch((error: unknown) => {
      if (!(error instanceof RefusedCall)) throw error;
      return {
        check: [{ name: "secrets", state: "wrong", problem: error.code, detail: error.message, advice: null }],
      } as const;
    });
    checks.push({ connectionId: connection.id, check });
    const wrong = check.filter(({ state }) => state === "wrong");
    if (wrong.length > 0) tools.setExitCode(1);
    if (options.json) continue;
    const says = wrong.map(({ name, detail = "", advice }) => [`${name}:`, detail, advice ?? ""].join(" ").trim());
    tools.print(`${connection.name}: ${says.length === 0 ? "no problems found" : says.join("; ")}\n`);
  }
  if (options.json) printJson(tools, { checks });
}

/**
 * Enables one connection, or with `all` every disabled connection that was not disabled by hand. A failure does not
 * stop the remaining connections.
 */
export async function enableConnections(
  tools: Tools,
  named: string | undefined,
  { all, ...options }: ChannelOptions & { readonly all?: true },
): Promise<void> {
  if ((named === undefined) === (all === undefined)) throw new UsageError("Enter a connection, or use --all.");
  const call = openCalls(options, tools.environment);
  const found = choose(await listConnections(call, options), named);
  const meant = all
    ? found.filter(({ isEnabled, disabledReason }) => !isEnabled && disabledReason !== "by_hand")
    : found;
  const enabled: string[] = [];
  const failed: object[] = [];
  for (const connection of meant) {
    try {
      await call("POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/enable", {
        path: placeOf(connection),
      });
      enabled.push(connection.id);
      if (!options.json) tools.print(`${connection.name}: enabled\n`);
    } catch (error) {
      if (!(error instanceof RefusedCall)) throw error;
      failed.push({ connectionId: connection.id, code: error.code, message: error.message });
      tools.tell(`${connection.name}: ${error.message}`);
      tools.setExitCode(1);
    }
  }
  if (options.json) printJson(tools, { enabled, failed });
  else if (meant.length === 0) tools.print("There are no connections to enable.\n");
}

/**
 * Returns the connections of the named workspace, or of all workspaces of the token. Without a name, skips suspended
 * workspaces and workspaces in which the user may not list connections.
 */
async function listConnections(call: Call, { workspace, url }: ChannelOptions): Promise<Connection[]> {
  if (workspace !== undefined) return connectionsOf(call, await findWorkspace(call, { name: workspace, url }));
  const workspaces = await allPages(
    (query) => call("GET /api/v1/workspaces", { query }),
    (page) => page.workspaces,
  );
  const connections: Connection[] = [];
  for (const { id } of workspaces) {
    const found = await connectionsOf(call, id).catch((error: unknown) => {
      if (error instanceof RefusedCall && unseen.has(error.code)) return [];
      throw error;
    });
    connections.push(...found);
  }
  return connections;
}

const unseen: ReadonlySet<string> = new Set(["workspace.forbidden", "workspace.suspended"]);

function connectionsOf(call: Call, workspaceId: string): Promise<Connection[]> {
  return allPages(
    (query) => call("GET /api/v1/workspaces/:workspaceId/channel-connections", { path: { workspaceId }, query }),
    (page) => page.channelConnections,
  );
}

type Page = { readonly nextCursor?: string | undefined };

async function allPages<Found extends Page, Entry>(
  read: (query: { limit: number; cursor: string | undefined }) => Promise<Found>,
  entriesIn: (page: Found) => readonly Entry[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: 100, cursor });
    entries.push(...entriesIn(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return entries;
}

function choose(connections: readonly Connection[], named: string | undefined): readonly Connection[] {
  if (named === undefined) return connections;
  const found = connections.filter(({ id, name }) => id === named || name === named);
  if (found.length === 0) throw new StartError(`No connection has the id or the name "${named}".`);
  if (found.length > 1)
    throw new StartError(`Several connections have the name "${named}": enter the id of one of them.`);
  return found;
}

function placeOf({ workspaceId, id }: Connection) {
  return { workspaceId, connectionId: id };
}
