import type { Channel } from "../../core/channels/channel.ts";
import { channels } from "../../core/channels/index.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { hasNone, isPolled, openSecrets } from "./connection-data.ts";
import { type ConnectionBot, findAnyConnection } from "./connections.sql.ts";

/** A connection with its decrypted secrets, for sending and receiving. */
export type OpenConnection = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly externalId: string;
  readonly display: string | null;
  readonly channel: Channel;
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
  /** The previous secrets while they are still valid, otherwise undefined. */
  readonly previousSecrets: JsonObject | undefined;
  readonly bots: readonly ConnectionBot[];
  readonly isEnabled: boolean;
  readonly isWorkspaceSuspended: boolean;
  /** Whether the service polls for messages. */
  readonly isPolled: boolean;
  readonly updatedAt: Date;
};

type Reading = Pick<ManagementDependencies, "sql" | "secrets">;

/**
 * Returns a connection of any workspace. Returns undefined for an unknown connection, a workspace in the bin, an
 * unsupported channel, or secrets that no key of this instance decrypts.
 */
export async function openConnection(deps: Reading, connectionId: string): Promise<OpenConnection | undefined> {
  const row = await findAnyConnection(deps.sql, connectionId);
  const channel = row && channels.get(row.channel);
  if (!channel) return undefined;
  const secrets = await openSecrets(deps, row, row.sealed);
  if (!secrets) return undefined;
  const previous = row.previous === null ? undefined : await openSecrets(deps, row, row.previous);
  const { id, workspaceId, name, externalId, display, settings, bots, isEnabled, isWorkspaceSuspended } = row;
  return {
    ...{
      id,
      workspaceId,
      name,
      externalId,
      display,
      channel,
      settings,
      secrets,
      bots,
      isEnabled,
      isWorkspaceSuspended,
    },
    previousSecrets: previous && hasNone(previous) ? undefined : previous,
    isPolled: isPolled(channel, settings),
    updatedAt: row.updatedAt,
  };
}

/** Caches connections for some seconds. A missing connection is also cached. */
export type OpenConnections = {
  find(connectionId: string): Promise<OpenConnection | undefined>;
  /** Makes the next call read the connection again. */
  forget(connectionId: string): void;
};

/** The maximum size of the cache, so that calls for invented ids do not fill the memory. */
const mostRemembered = 10_000;

export function createOpenConnections(deps: Reading & Pick<ManagementDependencies, "clock">): OpenConnections {
  const remembered = new Map<string, { readonly until: number; readonly found: Promise<OpenConnection | undefined> }>();
  return {
    find(connectionId) {
      const now = deps.clock.now();
      const known = remembered.get(connectionId);
      if (known && now < known.until) return known.found;
      remembered.delete(connectionId);
      if (remembered.size >= mostRemembered) remembered.clear();
      const found = openConnection(deps, connectionId).catch((error: unknown) => {
        // A failure is not cached, so the next caller reads again.
        remembered.delete(connectionId);
        throw error;
      });
      remembered.set(connectionId, { until: now + limits.channels.rememberedMs, found });
      return found;
    },
    forget(connectionId) {
      remembered.delete(connectionId);
    },
  };
}
