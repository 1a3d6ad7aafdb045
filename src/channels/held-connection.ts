import type { Channel } from "../core/channels/channel.ts";
import type { JsonObject } from "../core/interpreter/flow.ts";

/** A connection that this process holds: until it is lost, no other process takes in or sends for it. */
export type HeldConnection = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly channel: Channel;
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
  /** The secrets before they were rotated, while these still sign calls. */
  readonly previousSecrets?: JsonObject | undefined;
  /** Under which its lease is held. */
  readonly holder: string;
  /** Aborted when the lease is over, or given up: what is under way is broken off, and its outcome is not saved. */
  readonly lost: AbortSignal;
  /** Whether a call may begin, by this process' own clock. False while the connection is being left. */
  mayAct(): boolean;
};
