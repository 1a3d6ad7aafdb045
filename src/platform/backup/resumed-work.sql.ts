import type { Statements } from "../database/sql.ts";

/**
 * Resumes the work that waited when a backup was taken: jobs are in tables of the queue, which a backup does not
 * contain. The relay queues mails and calls that have not failed for good, and exports. The files and parts of exports
 * are not in a backup either: they are made again.
 */
export async function resumeWork(sql: Statements): Promise<void> {
  await sql`
    insert into outbox (id, queue, data)
    select id, 'email', content
    from mails
    where given_up_at is null
    union all
    select id, 'calls', content
    from deferred_calls
    where given_up_at is null
    on conflict do nothing`;
  const exports = await sql<{ id: string; botId: string }[]>`
    update result_exports
    set status = 'waiting',
      parts = null,
      written_results = 0,
      bytes = null,
      ready_at = null
    where status <> 'failed' and expires_at > clock()
    returning id, bot_id`;
  const [ids, botIds] = [exports.map(({ id }) => id), exports.map(({ botId }) => botId)];
  await sql`
    insert into outbox (id, queue, data)
    select id, 'exports', json_build_object('botId', bot_id)
    from unnest(${ids}::uuid[], ${botIds}::text[]) as exports (id, bot_id)
    on conflict do nothing`;
}
