-- Exports of results that jobs make. A row is the whole truth of one: without it, or past `expires_at`, its file is removed from the storage, and a job that
-- is still at it gives up. It names bot and user without foreign keys: a row that went with its bot would leave its file behind.

create table result_exports (
  id uuid primary key,
  bot_id uuid not null,
  user_id uuid not null,
  format text not null,
  file_name text not null,
  -- Which results: the window, the filter and the order.
  list json not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed')),
  -- How many results are written, and how many there will be where that is known.
  written_results integer not null default 0,
  expected_results integer,
  bytes bigint,
  problem text,
  created_at timestamptz(3) not null default clock(),
  ready_at timestamptz(3),
  -- Of one that never comes to its end as well.
  expires_at timestamptz(3) not null default clock() + interval '7 days'
);
create index result_exports_list on result_exports (bot_id, created_at desc, id desc);
create index result_exports_due on result_exports (expires_at);
-- What people search for is not sampled for statistics.
alter table result_exports alter column list set statistics 0;
