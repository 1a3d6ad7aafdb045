import { Counter, Histogram, Registry } from "../platform/observing/prometheus.ts";

/** Traffic metrics of connections, for `/metrics`. */
export type ChannelMetrics = {
  readonly registry: Registry;
  /** Counts events. `outcome` is `done`, `failed`, `merged`, `duplicate`, `refused`, or `dropped` with its reason. */
  count(channel: string, kind: string, outcome: string, amount?: number): void;
  /** Counts an attempt to send a message. */
  attempted(channel: string, attempt: { readonly outcome: string; readonly isInDoubt: boolean }): void;
  /** Counts a file of a contact, which was stored (`kept`) or rejected (`lost`). */
  media(channel: string, outcome: "kept" | "lost"): void;
  /** Records how many seconds a webhook took to answer. */
  answered(seconds: number): void;
  /** Records the seconds between a message's arrival and the saving of its step. */
  stepped(seconds: number): void;
};

export function createChannelMetrics(): ChannelMetrics {
  const registry = new Registry();
  const inbound = new Counter({
    name: "parley_channel_inbound_total",
    help: "Events that messengers reported, by channel, kind and outcome.",
    labelNames: ["channel", "kind", "outcome"],
    registers: [registry],
  });
  const attempts = new Counter({
    name: "parley_channel_attempts_total",
    help: "Attempts to send a message to a contact, by channel and outcome.",
    labelNames: ["channel", "outcome"],
    registers: [registry],
  });
  const doubts = new Counter({
    name: "parley_channel_doubts_total",
    help: "Messages for which it is unknown whether the messenger accepted them, by channel.",
    labelNames: ["channel"],
    registers: [registry],
  });
  const media = new Counter({
    name: "parley_channel_media_total",
    help: "Files from contacts that the service tried to download, by channel and outcome: kept or lost.",
    labelNames: ["channel", "outcome"],
    registers: [registry],
  });
  const webhooks = new Histogram({
    name: "parley_channel_webhook_seconds",
    help: "Time in which calls from messengers were stored and answered.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers: [registry],
  });
  const turns = new Histogram({
    name: "parley_channel_turn_seconds",
    help: "Time from a message's arrival until its step was saved.",
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  return {
    registry,
    count: (channel, kind, outcome, amount = 1) => inbound.inc({ channel, kind, outcome }, amount),
    attempted(channel, { outcome, isInDoubt }) {
      attempts.inc({ channel, outcome });
      if (isInDoubt) doubts.inc({ channel });
    },
    media: (channel, outcome) => media.inc({ channel, outcome }),
    answered: (seconds) => webhooks.observe(seconds),
    stepped: (seconds) => turns.observe(seconds),
  };
}
