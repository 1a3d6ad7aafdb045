import postgres from "postgres";
import { rowMapping, type Sql } from "../../src/platform/database/sql.ts";

/** A pool that remembers what it was asked, to tell afterwards how much the database did for it. */
export type Explainer = {
  readonly sql: Sql;
  /** How many rows the busiest part of the plan of the last statement touches. For statements that only read. */
  rowsTouched(): Promise<number>;
  /** The plan of the last statement that the database keeps when it plans once for all parameters. */
  plan(): Promise<string>;
  close(): Promise<void>;
};

export function createExplainer(databaseUrl: string): Explainer {
  const url = new URL(databaseUrl);
  const socket = url.searchParams.get("host");
  url.searchParams.delete("host");
  let text = "";
  let parameters: Parameters<Sql["unsafe"]>[1] = [];
  const place = { ...(socket === null ? {} : { host: socket }), max: 1 };
  // The parameters are as they were sent: where ids are mapped, they would be mapped twice, and name no row.
  const plain = postgres(url.href, place);
  const sql = postgres(url.href, {
    ...place,
    ...rowMapping,
    debug: (_connection, query, values) => {
      text = query;
      parameters = values;
    },
  });
  return {
    sql,
    async rowsTouched() {
      const [row] = await plain.unsafe(`explain (analyze, timing off, format json) ${text}`, parameters);
      return busiest(row?.["QUERY PLAN"]);
    },
    async plan() {
      const rows = await plain.unsafe(`explain (generic_plan, costs off) ${text}`);
      return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    },
    async close() {
      await Promise.all([sql.end(), plain.end()]);
    },
  };
}

/** The maximum number of rows that a node of the plan returned and discarded, in all its loops. */
function busiest(plan: unknown): number {
  if (Array.isArray(plan)) return Math.max(0, ...plan.map(busiest));
  if (typeof plan !== "object" || plan === null) return 0;
  const fact = (name: string) => Number(Object.getOwnPropertyDescriptor(plan, name)?.value ?? 0);
  const touched = fact("Actual Rows") + fact("Rows Removed by Filter") + fact("Rows Removed by Index Recheck");
  return Math.max(touched * Math.max(1, fact("Actual Loops")), ...Object.values(plan).map(busiest));
}
