import type { Statements } from "../database/sql.ts";

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
