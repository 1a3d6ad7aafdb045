import type { Statements } from "../database/sql.ts";

/**
 * Queues the work that was pending when the backup was made, because a backup does not contain the tables of the job
 * queue. The work consists of mails and calls without a final failure, and of unexpired exports that did not fail.
 * Exports start again, because their files and parts are not in a backup.
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

/**
 * Removes the operator's time limits from a transaction. Also makes the server end the transaction soon after its
 * client disconnects, because a statement can take an hour and the next restore waits for it. Only some systems can
 * detect a disconnected client.
 */
export async function dropLimits(transaction: Statements): Promise<void> {
  await transaction`
    select set_config(name, '0', true)
    from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
  await transaction.unsafe(`
    do $$
    begin
      perform set_config('client_connection_check_interval', '2s', true);
    exception when invalid_parameter_value then
      null;
    end $$`);
}
