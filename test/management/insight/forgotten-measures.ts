import type { Sql } from "../../../src/platform/database/sql.ts";

/** Removes the measures of the given kinds from a bot's counts, as if an earlier release had counted. */
export async function forgetMeasures(
  sql: Sql,
  { botId, kinds }: { readonly botId: string; readonly kinds: readonly string[] },
): Promise<void> {
  for (const table of ["insight_results", "insight_counts"]) {
    const others = (list: string) => sql`(
      select coalesce(array_agg(entry.value order by entry.place), '{}')
      from unnest(${sql(table)}.measures, ${sql(list)}) with ordinality as entry (measure, value, place)
      join insight_measures on insight_measures.id = entry.measure
      where insight_measures.kind <> all(${[...kinds]}::text[])
    )`;
    const chats = table === "insight_counts" ? sql`, chats = ${others("chats")}` : sql``;
    await sql`
      update ${sql(table)}
      set measures = ${others("measures")}, times = ${others("times")} ${chats}
      where bot_id = ${botId}`;
  }
}
