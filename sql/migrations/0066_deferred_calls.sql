-- Older nodes: run beside it.
-- They leave such rows in the outbox, and know nothing of the table: its content of a result that they erase is not sent, and goes with its
-- next attempt, or after 30 days.
-- The calls that wait in the queue: a job there names its call and nothing that a visitor said, as with mails.
create table deferred_calls (
  id uuid primary key,
  shard smallint not null,
  result_id uuid not null,
  bot_id uuid not null,
  content json not null,
  -- Set once the result's log says that it was given up.
  given_up_at timestamptz(3),
  created_at timestamptz(3) not null default clock()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = false);
create index deferred_calls_result on deferred_calls (shard, result_id);
create index deferred_calls_age on deferred_calls (created_at);
