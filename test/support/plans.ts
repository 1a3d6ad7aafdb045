import postgres from "postgres";
import { rowMapping, type Sql } from "../../src/platform/database/sql.ts";

/** A pool that remembers its last statement, to report how much the database worked for it. */
export type Explainer = {
  readonly sql: Sql;
  /** The number of rows that the busiest part of the last statement's plan touches. Only for statements that read. */
  rowsTouched(): Promise<number>;
  /** The last statement's generic plan, which the database keeps for all parameters. */
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
  // The parameters are already in the sent form: if ids were mapped twice, they would refer to no row.
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
