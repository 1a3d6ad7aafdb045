import type { Channel } from "../core/channels/channel.ts";
import type { JsonObject } from "../core/interpreter/flow.ts";

/**
 * A connection that this process holds. Until the lease is lost, no other process answers or sends messages for the
 * connection.
 */
export type HeldConnection = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly channel: Channel;
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
  /** The secrets before the last rotation, while calls may still be signed with them. */
  readonly previousSecrets?: JsonObject | undefined;
  /** The holder's id in the lease. */
  readonly holder: string;
  /** Aborted when the lease is lost. Running work is then aborted, and its outcome is not saved. */
  readonly lost: AbortSignal;
  /** Whether a call may start, by the clock of this process. False while the connection is being released. */
  mayAct(): boolean;
};
