import type { ChatDependencies } from "../chat/steps/dependencies.ts";
import type { ChannelMetrics } from "./metrics.ts";
import type { Receiver } from "./storing/receive.ts";

/** The dependencies of bots that run on messengers. */
export type ChannelDependencies = ChatDependencies & {
  /** Called when a connection has received an event. */
  onInbound(connectionId: string): void;
  readonly channelMetrics: ChannelMetrics;
  readonly receiver: Receiver;
};
