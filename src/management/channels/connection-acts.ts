import type { CheckPoint } from "../../core/channels/channel.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { instanceMark } from "../../platform/instance-mark.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  channelOf,
  checkedSecrets,
  hasNone,
  hintsOf,
  madeOnly,
  openSecrets,
  requireSecrets,
  sealSecrets,
} from "./connection-data.ts";
import {
  type ConnectionPlace,
  type ConnectionRow,
  disableConnection,
  enableConnection,
  findConnection,
  rotateSecrets,
} from "./connections.sql.ts";
import { type ConnectionView, findForCaller, requireTalking, viewOf } from "./connections.ts";
import { checkAtProvider, placeOf, registerAtProvider, requireKnown } from "./provider.ts";

export type ConnectionCheck = readonly (CheckPoint & { readonly advice: string | null })[];

/** Checks with the messenger whether the connection works. Changes nothing. */
export async function checkChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
): Promise<ConnectionCheck> {
  const row = await findForCaller(deps, caller, path, "work");
  caller.place.end();
  return checkConnection(deps, row);
}

/**
 * Checks a connection with the messenger, without checking the caller's rights. Returns the checked points, each with
 * advice if there is a problem.
 */
export async function checkConnection(deps: ManagementDependencies, row: ConnectionRow): Promise<ConnectionCheck> {
  const channel = channelOf(row.channel);
  const { settings, workspaceId } = row;
  const opened = { channel, settings, secrets: await requireSecrets(deps, row), workspaceId };
  if (hasNone(opened.secrets)) return [{ name: "secrets", state: "wrong", problem: "refused", advice: advice.refused }];
  const { externalId, points } = await checkAtProvider(deps, opened, await placeOf(deps, channel, row));
  const account: CheckPoint[] =
    externalId === undefined
      ? []
      : [
          externalId === row.externalId
            ? { name: "account", state: "ok" }
            : { name: "account", state: "wrong", problem: "other_account" },
        ];
  return [...points, ...account].map((point) => ({
    ...point,
    advice: point.problem === undefined ? null : advice[point.problem],
  }));
}

const advice: Readonly<Record<NonNullable<CheckPoint["problem"]>, string>> = {
  refused: "The messenger rejects these secrets. Rotate them to the secrets that the messenger shows now.",
  no_answer: "The messenger did not respond. Check again in a few minutes.",
  other_account: "These secrets belong to another account. Create a separate connection for that account.",
  unregistered: "The messenger does not send messages to this service. Register the connection.",
  elsewhere: "The messenger sends messages to another service. Register the connection to receive them here.",
  failing: "The messenger could not deliver its last calls. Check whether the messenger can reach the webhook URL.",
};

/**
 * Registers the connection at the messenger again, so that the messenger sends its calls to this service. Requires
 * ADMIN.
 */
export async function registerChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  requestOrigin: string,
): Promise<ConnectionView> {
  const row = await findForCaller(deps, caller, path, "administer");
  if (!row.isEnabled) throw new AppError("channel_connection.disabled");
  await requireTalking(deps);
  caller.place.end();
  await register(deps, row);
  return viewOf(deps, row, requestOrigin);
}

/**
 * Checks and registers the connection, and enables it for this instance, even if another instance used it before.
 * Requires ADMIN.
 */
export async function enableChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  requestOrigin: string,
): Promise<ConnectionView> {
  const row = await findForCaller(deps, caller, path, "administer");
  await requireTalking(deps);
  caller.place.end();
  return viewOf(deps, await enable(deps, row), requestOrigin);
}

async function enable(deps: ManagementDependencies, row: ConnectionRow): Promise<ConnectionRow> {
  const display = await register(deps, row);
  const mark = await instanceMark(deps.sql, deps.config);
  const place = { workspaceId: row.workspaceId, connectionId: row.id };
  const enabled = await enableConnection(deps.sql, place, { mark, display });
  if (!enabled) throw new AppError("channel_connection.not_found");
  return enabled;
}

/** Registers the connection and returns the messenger's current name for it; null if the messenger returns no name. */
async function register(deps: ManagementDependencies, row: ConnectionRow): Promise<string | null> {
  const channel = channelOf(row.channel);
  const { settings, workspaceId, externalId: known } = row;
  const opened = { channel, settings, secrets: await requireSecrets(deps, row), workspaceId };
  if (hasNone(opened.secrets)) throw noSecrets();
  const place = await placeOf(deps, channel, row);
  const findings = await checkAtProvider(deps, opened, place);
  requireKnown(findings, opened.secrets);
  const { externalId = known, display = null } = findings;
  if (externalId !== known) throw otherAccount();
  await registerAtProvider(deps, opened, place);
  return display;
}

/**
 * Disables the connection. While it is disabled, messages from contacts are accepted without their content and never
 * answered, and messages to contacts remain queued. Requires ADMIN.
 */
export async function disableChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  requestOrigin: string,
): Promise<ConnectionView> {
  await findForCaller(deps, caller, path, "administer");
  await disableConnection(deps.sql, { connectionId: path.connectionId, reason: "by_hand" });
  const row = await findConnection(deps.sql, path);
  if (!row) throw new AppError("channel_connection.not_found");
  return viewOf(deps, row, requestOrigin);
}

/**
 * Replaces a connection's secrets with the given ones, and generates new values for the secrets that the service
 * creates. Calls signed with the previous secrets are accepted for another day. Requires ADMIN.
 */
export async function rotateChannelSecrets(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  { secrets: given, requestOrigin }: { secrets: JsonObject; requestOrigin: string },
): Promise<{ connection: ConnectionView; madeSecrets: Record<string, string> }> {
  const row = await findForCaller(deps, caller, path, "administer");
  if (row.isEnabled) await requireTalking(deps);
  const channel = channelOf(row.channel);
  const { settings, workspaceId } = row;
  const secrets = checkedSecrets(channel, given, await openSecrets(deps, row, row.sealed));
  const sealed = await sealSecrets(deps, row.id, secrets);
  const opened = { channel, settings, secrets, workspaceId };
  const place = await placeOf(deps, channel, row);
  caller.place.end();
  const findings = await checkAtProvider(deps, opened, place);
  requireKnown(findings, secrets);
  if ((findings.externalId ?? row.externalId) !== row.externalId) throw otherAccount();
  const hours = limits.channels.oldSecretHours;
  const rotated = await rotateSecrets(deps.sql, row, { sealed, hint: hintsOf(channel, secrets), hours });
  if (!rotated) throw new AppError("server.overloaded");
  // If registering fails, the previous secret remains valid for a day, and registering can be repeated.
  if (rotated.isEnabled) await registerAtProvider(deps, opened, place);
  return { connection: viewOf(deps, rotated, requestOrigin), madeSecrets: madeOnly(channel, secrets) };
}

/** Returns the error for a connection that was imported from another server and has no secrets yet. */
function noSecrets(): AppError {
  return new AppError("channel_connection.refused", {
    message: 'The connection has no secrets yet. Set them with "rotate".',
    data: { code: "no_secrets", detail: "" },
  });
}

/**
 * Returns the error for secrets that belong to another account, which would need a separate connection with other
 * contacts.
 */
function otherAccount(): AppError {
  return new AppError("channel_connection.refused", {
    message: "These secrets belong to another account. Create a separate connection for that account.",
    data: { code: "other_account", detail: "" },
  });
}
