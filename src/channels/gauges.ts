import { share } from "../platform/concurrency/share.ts";
import type { OutageWatch } from "../platform/database/outages/outage-watch.ts";
import type { Sql } from "../platform/database/sql.ts";
import { createGauges } from "../platform/observing/gauges.ts";
import { Gauge, type Registry } from "../platform/observing/prometheus.ts";
import { type ChannelRows, countChannelRows } from "./rows.sql.ts";

const keptMs = 10_000;

const gauges = [
  {
    name: "parley_channel_waiting_messages",
    help: "Messages from contacts that wait for their step, on all nodes together.",
    of: ({ waiting }) => waiting,
  },
  {
    name: "parley_channel_oldest_waiting_seconds",
    help: "Age of the oldest message from a contact that waits for its step.",
    of: ({ oldestWaiting }) => oldestWaiting,
  },
  {
    name: "parley_channel_pending_sendings",
    help: "Messages to contacts that wait or are being sent, on all nodes together.",
    of: ({ pending }) => pending,
  },
  {
    name: "parley_channel_oldest_pending_seconds",
    help: "Age of the oldest message to a contact that is overdue.",
    of: ({ oldestPending }) => oldestPending,
  },
  {
    name: "parley_channel_sendings_in_doubt",
    help: "Messages to contacts whose sending started more than a minute ago and has no outcome.",
    of: ({ inDoubt }) => inDoubt,
  },
] as const satisfies readonly { name: string; help: string; of: (rows: ChannelRows) => number }[];

const states = ["on", "off", "failing"] as const;

/**
 * Returns gauges of the waiting messages and the connections of all nodes. The rows are counted when metrics are
 * requested, at most every 10 s.
 */
export function createChannelGauges(sql: Sql, outage: Pick<OutageWatch, "failed">): Registry {
  const { registry, add } = createGauges();
  // Returns the counts, or undefined if they cannot be read. The values are then omitted.
  const read = share<ChannelRows | undefined>(
    () =>
      countChannelRows(sql).catch((error: unknown) => {
        outage.failed(error);
        return undefined;
      }),
    { keptMs },
  );
  for (const { name, help, of } of gauges) {
    add(name, help, async () => {
      const rows = await read();
      return rows && of(rows);
    });
  }
  new Gauge({
    name: "parley_channel_connections",
    help: "Connections to messengers by state, on all nodes together.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const rows = await read();
      this.reset();
      if (rows) for (const state of states) this.set({ state }, rows[state]);
    },
  });
  return registry;
}
