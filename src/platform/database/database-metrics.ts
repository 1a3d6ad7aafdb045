import { share } from "../concurrency/share.ts";
import { within } from "../concurrency/within.ts";
import { createGauges } from "../observing/gauges.ts";
import { Gauge, type Registry } from "../observing/prometheus.ts";
import { askSize } from "./outages/health.sql.ts";
import type { Sql } from "./sql.ts";

/**
 * A database that does not respond within this time is reported as down, because clients that scrape metrics do not
 * wait longer.
 */
const answersWithinMs = 2_000;

/** The minimum interval between two queries. */
const keptMs = 1_000;

type Look = { readonly isUp: boolean; readonly seconds?: number; readonly bytes?: number };

/**
 * Creates the metrics of the database and of this process's connection pools. The database is queried when the metrics
 * are read.
 */
export function createDatabaseMetrics({
  sql,
  stepSql,
  replicaSql,
}: {
  readonly sql: Sql;
  readonly stepSql?: Sql;
  readonly replicaSql?: Sql;
}): Registry {
  const { registry, add } = createGauges();
  const look = share(() => lookAt(sql), { keptMs });
  const pools = new Gauge({
    name: "parley_database_connections",
    help: "Maximum number of connections in this process's pools.",
    labelNames: ["pool"],
    registers: [registry],
  });
  pools.set({ pool: "general" }, sql.options.max);
  if (stepSql && stepSql !== sql) pools.set({ pool: "steps" }, stepSql.options.max);
  if (replicaSql) pools.set({ pool: "replica" }, replicaSql.options.max);
  add("parley_database_up", "Whether the database responds: 1 or 0.", async () => Number((await look()).isUp), {
    aggregator: "min",
  });
  add(
    "parley_database_round_trip_seconds",
    "Current duration of one small statement, including the wait for a connection.",
    async () => (await look()).seconds,
    { aggregator: "max" },
  );
  add("parley_database_size_bytes", "Size of the database.", async () => (await look()).bytes, { aggregator: "max" });
  return registry;
}

/** Measures the size of the database and how long it takes to respond. Never rejects. */
async function lookAt(sql: Sql): Promise<Look> {
  const startedAt = performance.now();
  const asked = askSize(sql).catch(() => undefined);
  const bytes = await within(answersWithinMs, asked, () => undefined);
  if (bytes === undefined) return { isUp: false };
  return { isUp: true, seconds: (performance.now() - startedAt) / 1_000, bytes };
}
