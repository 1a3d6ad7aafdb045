import { hintOf } from "../../core/credentials/masked.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { nameOlderNodes } from "../../platform/database/schema/older-nodes.ts";
import { violatedConstraint } from "../../platform/database/violations.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../platform/ids.ts";
import { instanceMark } from "../../platform/instance-mark.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  type ConnectionHints,
  channelOf,
  chatAddress,
  checkedSecrets,
  checkedSettings,
  hintsOf,
  isPolled,
  madeOnly,
  openSecrets,
  sealSecrets,
} from "./connection-data.ts";
import {
  type ConnectionBot,
  type ConnectionPlace,
  type ConnectionRow,
  enableConnection,
  findBotsOfWorkspace,
  findConnection,
  insertConnection,
  listConnections,
  markDeleted,
  removeUnregistered,
  updateConnection,
} from "./connections.sql.ts";
import { removeLeftBehind } from "./old-messages.sql.ts";
import {
  checkAtProvider,
  placeOf,
  registerAtProvider,
  requireKnown,
  unregisterAtProvider,
  webhookPath,
} from "./provider.ts";

/**
 * A connection in the API's format. For each secret, it contains only whether the secret is set, and its last
 * characters.
 */
export type ConnectionView = Pick<
  ConnectionRow,
  | ("id" | "workspaceId" | "channel" | "name" | "externalId" | "display" | "settings" | "bots" | "isEnabled")
  | ("disabledReason" | "previousUntil" | "lastInboundAt" | "lastOutboundAt" | "failingSince" | "pausedUntil")
  | ("createdAt" | "updatedAt")
> & { readonly secrets: ConnectionHints; readonly webhookUrl: string | null };

export type NewConnection = {
  readonly channel: string;
  readonly name: string;
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
  readonly bots: readonly ConnectionBot[];
  /**
   * The messenger's id of the account. If it is given, the connection is stored without secrets, and cannot send or
   * receive yet.
   */
  readonly externalId?: string | undefined;
};

export type ConnectionChange = {
  readonly name?: string | undefined;
  readonly settings?: JsonObject | undefined;
  readonly bots?: readonly ConnectionBot[] | undefined;
};

/** The maximum number of attempts. An attempt fails only if another request changes the same connection. */
const tries = 5;

const nowhere = { webhookUrl: null, commands: [] };

/**
 * Returns a workspace's connections, newest first. GUESTs have no access. `requestOrigin` is the origin of the request
 * to the service.
 */
export async function listChannelConnections(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { channel, requestOrigin, ...request }: PageRequest & { channel?: string | undefined; requestOrigin: string },
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("channel-connections", request, [workspaceId, channel ?? null]);
  const rows = await listConnections(deps.sql, { workspaceId, channel, ...page.part });
  const { rows: shown, ...rest } = cutPage({ rows, page });
  return { channelConnections: shown.map((row) => viewOf(deps, row, requestOrigin)), ...rest };
}

export async function getChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  place: ConnectionPlace,
  requestOrigin: string,
): Promise<ConnectionView> {
  return viewOf(deps, await findForCaller(deps, caller, place, "work"), requestOrigin);
}

/**
 * Checks an account of a messenger, stores the connection with encrypted secrets, and registers it, so that the
 * messenger sends its calls to this service. If registering fails, the connection is deleted again. Only this response
 * contains the secrets that the service generates. With `externalId`, the connection is only stored. Requires ADMIN.
 */
export async function connectChannel(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  wanted: NewConnection,
  requestOrigin: string,
): Promise<{ connection: ConnectionView; madeSecrets: Record<string, string> }> {
  await requireWorkspace(deps, caller, workspaceId, "administer", { isFilled: true });
  const { externalId: imported } = wanted;
  if (imported !== undefined) {
    const row = await importConnection(deps, workspaceId, { ...wanted, externalId: imported });
    return { connection: viewOf(deps, row, requestOrigin), madeSecrets: {} };
  }
  await requireTalking(deps);
  const channel = channelOf(wanted.channel);
  const settings = checkedSettings(deps, channel, wanted.settings);
  const secrets = checkedSecrets(channel, wanted.secrets);
  const id = newId();
  const sealed = await sealSecrets(deps, id, secrets);
  const bots = await checkedBots(deps, workspaceId, wanted.bots);
  const place = await placeOf(deps, channel, { id, workspaceId, settings, bots });
  const opened = { channel, settings, secrets, workspaceId };
  // Releases the slot at the database, because the other server may respond slowly.
  caller.place.end();
  const findings = await checkAtProvider(deps, opened, place);
  requireKnown(findings, secrets);
  const { externalId = id, display = null } = findings;
  const row = {
    ...{ id, workspaceId, channel: channel.type, name: wanted.name, externalId, display, settings, sealed, bots },
    ...{ hint: hintsOf(channel, secrets), disabledReason: "unregistered" },
  };
  await removeLeftBehind(deps.sql, { minutes: limits.channels.leftMinutes });
  await insert(deps, row);
  const here = { workspaceId, connectionId: id };
  try {
    await registerAtProvider(deps, opened, place);
  } catch (error) {
    await removeUnregistered(deps.sql, here);
    throw error;
  }
  const mark = await instanceMark(deps.sql, deps.config);
  const connection = await enableConnection(deps.sql, here, { mark, display });
  if (!connection) throw new AppError("channel_connection.not_found");
  return { connection: viewOf(deps, connection, requestOrigin), madeSecrets: madeOnly(channel, secrets) };
}

/**
 * Stores a connection of another server. No server exports secrets, so they must be set with a rotation before the
 * connection can be enabled.
 */
async function importConnection(
  deps: ManagementDependencies,
  workspaceId: string,
  { channel: type, name, settings: given, secrets, bots: asked, externalId }: NewConnection & { externalId: string },
): Promise<ConnectionRow> {
  if (Object.keys(secrets).length > 0) {
    throw invalidInput([
      {
        path: "secrets",
        message: "must be left out if `externalId` is given: set the secrets afterwards with `rotate`",
      },
    ]);
  }
  const channel = channelOf(type);
  const id = newId();
  const row = {
    ...{ id, workspaceId, channel: type, name, externalId, display: null },
    settings: checkedSettings(deps, channel, given),
    sealed: await sealSecrets(deps, id, {}),
    ...{ hint: hintsOf(channel, {}), bots: await checkedBots(deps, workspaceId, asked), disabledReason: "imported" },
  };
  await insert(deps, row);
  const made = await findConnection(deps.sql, { workspaceId, connectionId: id });
  if (!made) throw new AppError("channel_connection.not_found");
  return made;
}

/**
 * Inserts a connection. Throws `channel_connection.taken` if the instance already has a connection for the account, and
 * `channel_connection.too_many` if the workspace has the maximum number.
 */
async function insert(deps: ManagementDependencies, row: Parameters<typeof insertConnection>[1]): Promise<void> {
  const most = limits.channels.connections;
  const inserted = await insertConnection(deps.sql, row, { most }).catch((error: unknown) => {
    if (violatedConstraint(error) !== "channel_connections_external") throw error;
    throw new AppError("channel_connection.taken");
  });
  if (!inserted) throw new AppError("channel_connection.too_many", { data: { most } });
}

/**
 * Changes the given fields. Settings are merged: a given member replaces the stored member, and null removes it. An
 * enabled connection is registered again if the change contains bots or switches the transport. It is not registered
 * again if channels are switched off or its secrets cannot be decrypted. Requires ADMIN.
 */
export async function updateChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  change: ConnectionChange,
  requestOrigin: string,
): Promise<ConnectionView> {
  const before = await findForCaller(deps, caller, path, "administer");
  const bots = change.bots && (await checkedBots(deps, path.workspaceId, change.bots, before.bots));
  let row = before;
  for (let attempt = 0; attempt < tries; attempt++) {
    const channel = channelOf(row.channel);
    const settings =
      change.settings === undefined
        ? row.settings
        : checkedSettings(deps, channel, { ...row.settings, ...change.settings });
    const next = { id: row.id, workspaceId: row.workspaceId, settings, bots: bots ?? row.bots };
    const isMoved = isPolled(channel, settings) !== isPolled(channel, before.settings);
    // The address is needed only if the transport changes, or if bots are given for an enabled connection.
    const place = isMoved || (row.isEnabled && bots) ? await placeOf(deps, channel, next) : undefined;
    const secrets = await openSecrets(deps, row, row.sealed);
    const display =
      channel.plans.readCheck([], { settings, secrets: secrets ?? {} }, place ?? nowhere).display ?? row.display;
    const name = change.name ?? row.name;
    const updated = await updateConnection(deps.sql, row, { name, display, ...next });
    if (updated) {
      if (updated.isEnabled && secrets && place && deps.config.CHANNELS) {
        caller.place.end();
        const opened = { channel, settings, secrets, workspaceId: row.workspaceId };
        await registerAtProvider(deps, opened, place);
      }
      return viewOf(deps, updated, requestOrigin);
    }
    row = await findForCaller(deps, caller, path, "administer");
  }
  throw new AppError("server.overloaded");
}

/**
 * Deletes the connection if `name` is its name. An enabled connection is also unregistered at the messenger; failures
 * of the messenger are ignored. The contacts and messages are deleted soon, and results remain. Requires ADMIN.
 */
export async function deleteChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  { name, requestOrigin }: { name: string; requestOrigin: string },
): Promise<ConnectionView> {
  const row = await findForCaller(deps, caller, path, "administer");
  if (row.name !== name) throw invalidInput([{ path: "name", message: "must be the name of the connection" }]);
  const deleted = await markDeleted(deps.sql, path);
  if (!deleted) throw new AppError("channel_connection.not_found");
  const secrets = await openSecrets(deps, row, row.sealed);
  // Unregisters only an enabled connection. If it is disabled, the messenger may send its calls to another server, such
  // as the original of a copied database.
  if (secrets && row.isEnabled && deps.config.CHANNELS) {
    caller.place.end();
    const { settings, workspaceId } = row;
    await unregisterAtProvider(deps, { channel: channelOf(row.channel), settings, secrets, workspaceId });
  }
  return viewOf(deps, deleted, requestOrigin);
}

/**
 * Returns a connection of the workspace. Throws if the caller does not have this right, or if the workspace has no such
 * connection.
 */
export async function findForCaller(
  deps: ManagementDependencies,
  caller: Caller,
  place: ConnectionPlace,
  right: "work" | "administer",
): Promise<ConnectionRow> {
  await requireWorkspace(deps, caller, place.workspaceId, right);
  const row = isId(place.connectionId) ? await findConnection(deps.sql, place) : undefined;
  if (!row) throw new AppError("channel_connection.not_found");
  return row;
}

export function viewOf(
  deps: Pick<ManagementDependencies, "config">,
  row: ConnectionRow,
  requestOrigin: string,
): ConnectionView {
  const { id, workspaceId, channel, name, externalId, display, settings, bots, isEnabled, disabledReason } = row;
  const { previousUntil, lastInboundAt, lastOutboundAt, failingSince, pausedUntil, createdAt, updatedAt } = row;
  const kind = channelOf(channel);
  const names = Object.keys(kind.secrets.properties);
  const isAsked = isPolled(kind, settings);
  return {
    ...{ id, workspaceId, channel, name, externalId, display, settings, bots, isEnabled, disabledReason },
    ...{ previousUntil, lastInboundAt, lastOutboundAt, failingSince, pausedUntil, createdAt, updatedAt },
    secrets: Object.fromEntries(names.map((secret) => [secret, shownHint(row.hint[secret])])),
    webhookUrl: isAsked ? null : `${chatAddress(deps) ?? requestOrigin}${webhookPath(id)}`,
  };
}

/**
 * Throws `channel_connection.off` if the operator has switched channels off. A copy of a running instance needs this
 * setting, because it would otherwise redirect the messenger's calls to itself. Throws `channel_connection.older_nodes`
 * during a rolling upgrade, because a node of an earlier release would treat chats of messengers like chats of pages.
 */
export async function requireTalking({ sql, config, olderNodes }: ManagementDependencies): Promise<void> {
  if (!config.CHANNELS) throw new AppError("channel_connection.off");
  if (await olderNodes.areConnected("channels")) {
    const nodes = await nameOlderNodes(sql, "channels");
    throw new AppError("channel_connection.older_nodes", { data: { nodes } });
  }
}

/**
 * Returns the bots in the given order. Throws if a bot is not in this workspace or is in the list twice. A bot in the
 * `former` list may remain after it was deleted or moved away, so that the other bots can be changed.
 */
async function checkedBots(
  deps: ManagementDependencies,
  workspaceId: string,
  bots: readonly ConnectionBot[],
  former: readonly ConnectionBot[] = [],
): Promise<ConnectionBot[]> {
  const ids = bots.map(({ botId }) => botId);
  const found = await findBotsOfWorkspace(deps.sql, { workspaceId, botIds: ids.filter(isId) });
  const known = new Set([...found, ...former.map(({ botId }) => botId)]);
  if (!ids.every((id) => known.has(id))) throw new AppError("bot.not_found");
  const issues = ids.flatMap((id, index) =>
    ids.indexOf(id) < index ? [{ path: `bots[${index}].botId`, message: "must not be in the list twice" }] : [],
  );
  if (issues.length > 0) throw invalidInput(issues);
  return [...bots];
}

function shownHint(stored: unknown) {
  const ends = typeof stored === "object" && stored !== null && "ends" in stored ? stored.ends : undefined;
  const isSet = typeof stored === "object" && stored !== null && "isSet" in stored && stored.isSet === true;
  return isSet ? { isSet, ...(typeof ends === "string" && { ends }) } : hintOf(undefined);
}

/** The state of the messenger's calls to this service: the time of the last call, and the rejected calls. */
type WebhookInfo = Pick<ConnectionRow, "lastCallAt" | "refusedCalls" | "refusedAt" | "refusedWhy"> & {
  readonly url: string | null;
};

export async function readWebhookInfo(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  requestOrigin: string,
): Promise<WebhookInfo> {
  const row = await findForCaller(deps, caller, path, "work");
  const { lastCallAt, refusedCalls, refusedAt, refusedWhy } = row;
  return { url: viewOf(deps, row, requestOrigin).webhookUrl, lastCallAt, refusedCalls, refusedAt, refusedWhy };
}
