-- The values of results' variables, to find results by them. A job reads them some moments after a step has written them: no step pays for it.
create table result_values (
  shard smallint not null,
  result_id uuid not null,
  -- The first characters of both, by bytes: texts of any length, and a value's beginning is found in the index.
  name text collate "C" not null,
  value text collate "C" not null,
  bot_id uuid not null,
  -- When the result began.
  created_at timestamptz(3) not null,
  primary key (shard, result_id, name, value)
);
create index result_values_search on result_values (bot_id, name, value, created_at desc, result_id desc);
-- What visitors said is not sampled for statistics.
alter table result_values alter column value set statistics 0;

-- Results that the job reads next, and again for as long as one of their chats may go on.
create table results_to_read (
  shard smallint not null,
  result_id uuid not null,
  -- The change that was read last.
  read_at timestamptz(3),
  times_read smallint not null default 0,
  next_at timestamptz(3) not null default clock(),
  primary key (shard, result_id)
);
create index results_to_read_due on results_to_read (next_at);

-- How far the job has looked for new results and sessions in each shard, by their ids, which grow.
create table result_walks (
  shard smallint primary key,
  result_id uuid not null default '00000000-0000-0000-0000-000000000000',
  session_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into result_walks (shard) select generate_series(0, 1023);
