import { bulk, hex, json } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** The report of an effect as JSON text, with the effect's key in hexadecimal digits. */
export type StoredReport = { readonly key: string; readonly report: string };

/** Statements that read and write the effect reports of unfinished steps, by session. */
export type ReportStatements = {
  find(sessionId: string): Promise<StoredReport[]>;
  insert(sessionId: string, reports: readonly StoredReport[]): Promise<void>;
  delete(sessionId: string, keys: readonly string[]): Promise<void>;
};

const reportRows = bulk<StoredReport>({ key: hex(({ key }) => key), report: json(({ report }) => report) });

export function createReportStatements(sql: Sql): ReportStatements {
  return {
    find: (sessionId) => findReports(sql, sessionId),
    insert: (sessionId, reports) => insertReports(sql, sessionId, reports),
    delete: (sessionId, keys) => deleteReports(sql, sessionId, keys),
  };
}

async function findReports(sql: Sql, sessionId: string): Promise<StoredReport[]> {
  return sql<StoredReport[]>`
    select encode(key, 'hex') as key, report::text as report
    from effect_reports
    where shard = ${shardOf(sessionId)}
      and session_id = ${sessionId}`;
}

/** Stores only the first report of an effect. After a lost claim, two processes may have performed the effect. */
async function insertReports(sql: Sql, sessionId: string, reports: readonly StoredReport[]): Promise<void> {
  await sql`
    insert into effect_reports (shard, session_id, key, report)
    select ${shardOf(sessionId)}::smallint, ${sessionId}::uuid, decode(i.key, 'hex'), i.report::json
    from ${reportRows(sql, reports)} as i
    on conflict (shard, session_id, key) do nothing`;
}

async function deleteReports(sql: Sql, sessionId: string, keys: readonly string[]): Promise<void> {
  await sql`
    delete from effect_reports
    where shard = ${shardOf(sessionId)}
      and session_id = ${sessionId}
      and encode(key, 'hex') = any(${[...keys]}::text[])`;
}
