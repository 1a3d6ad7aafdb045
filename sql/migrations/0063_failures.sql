-- Older nodes: run beside it.
-- Of an error: the block that failed, and the reason as one of a few words. What an older node writes has neither, and does not count.
alter table logs add column block_id text;
alter table logs add column reason text;

-- An example of each problem: the last result that had it. A result that is erased meanwhile is not found.
create table problem_examples (
  bot_id uuid not null references bots on delete cascade,
  block_id text collate "C" not null,
  reason text collate "C" not null,
  shard smallint not null,
  result_id uuid not null,
  seen_at timestamptz(3) not null,
  primary key (bot_id, block_id, reason)
);

-- When the workspace was last told that a bot fails far more often than usual.
create table problem_alarms (
  bot_id uuid primary key references bots on delete cascade,
  raised_at timestamptz(3) not null
);
