import postgres from "postgres";
import { rowMapping, type Sql } from "../../src/platform/database/sql.ts";

/** A pool that records its last statement, and reports how much work it was for the database. */
export type Explainer = {
  readonly sql: Sql;
  /**
   * Returns the number of rows that the busiest node of the last statement's plan has processed. Works only for
   * statements that read.
   */
  rowsTouched(): Promise<number>;
  /** Returns the last statement's generic plan, which does not depend on parameters. */
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
  // The recorded parameters are already mapped and serialized. Mapping ids twice would match no rows.
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

/** Returns the maximum number of rows that one node of the plan returned or discarded in all its loops. */
function busiest(plan: unknown): number {
  if (Array.isArray(plan)) return Math.max(0, ...plan.map(busiest));
  if (typeof plan !== "object" || plan === null) return 0;
  const fact = (name: string) => Number(Object.getOwnPropertyDescriptor(plan, name)?.value ?? 0);
  const touched = fact("Actual Rows") + fact("Rows Removed by Filter") + fact("Rows Removed by Index Recheck");
  return Math.max(touched * Math.max(1, fact("Actual Loops")), ...Object.values(plan).map(busiest));
}
