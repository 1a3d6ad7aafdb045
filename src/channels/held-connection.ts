import type { Channel } from "../core/channels/channel.ts";
import type { JsonObject } from "../core/interpreter/flow.ts";

/** A connection that this process holds: until the lease is lost, no other process receives or sends for it. */
export type HeldConnection = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly channel: Channel;
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
  /** The secrets before the last rotation, while they still verify calls. */
  readonly previousSecrets?: JsonObject | undefined;
  /** The holder's id in the lease. */
  readonly holder: string;
  /** Aborted when the lease has expired or is given up: running work is aborted, and its outcome is not saved. */
  readonly lost: AbortSignal;
  /** Whether a call may begin, by this process' clock. False while the connection is being released. */
  mayAct(): boolean;
};
