-- What a bot's results come to. A job counts them some moments after a step has written them, so that no step pays for it and no figure is read by reading results.

-- What is counted of a bot: views, a block that was reached, a value that was answered. Counts name it by its number.
create table insight_measures (
  id integer generated always as identity primary key,
  bot_id uuid not null references bots on delete cascade,
  kind text collate "C" not null,
  -- A block or an edge.
  subject text collate "C" not null,
  value text collate "C" not null
);
create unique index insight_measures_key on insight_measures (bot_id, kind, subject, value);

-- What the results that began in a quarter of an hour, a day or a month (UTC) on one version came to: the same place of each list belongs together.
create table insight_counts (
  bot_id uuid not null references bots on delete cascade,
  -- quarter, day or month
  unit text not null,
  starts_at timestamptz(0) not null,
  -- The number of the publication that they began on; 0 where that is not known.
  version integer not null,
  measures integer[] not null,
  -- How many chats, and how often in all.
  chats integer[] not null,
  times integer[] not null,
  primary key (bot_id, unit, starts_at, version)
);

-- What each result was counted as, so that it can be taken out of the counts again.
create table insight_results (
  shard smallint not null,
  result_id uuid not null,
  -- Null until it was counted for the first time.
  bot_id uuid,
  version integer,
  created_at timestamptz(3),
  measures integer[] not null default '{}',
  times integer[] not null default '{}',
  -- Deleted ones keep what they were counted as until they are restored or erased.
  is_counted boolean not null default false,
  -- Counts up whenever the row is written: who has read it before writes nothing.
  revision integer not null default 0,
  -- The change of the result, and the number of its steps, that were counted last.
  counted_change timestamptz(3),
  counted_steps integer,
  -- When it is looked at again; null where it cannot change any more.
  next_at timestamptz(3) default clock(),
  primary key (shard, result_id)
);
create index insight_results_due on insight_results (next_at) where next_at is not null;

-- How often chat pages were shown, while this version was met.
create table page_views (
  bot_id uuid not null references bots on delete cascade,
  unit text not null,
  starts_at timestamptz(0) not null,
  version integer not null,
  count bigint not null,
  primary key (bot_id, unit, starts_at, version)
);

-- Everything that happened before is counted.
create table insight_progress (
  is_only boolean primary key default true check (is_only),
  counted_until timestamptz(3)
);
insert into insight_progress default values;

-- Results of earlier releases are met again.
update result_walks
set result_id = '00000000-0000-0000-0000-000000000000',
  session_id = '00000000-0000-0000-0000-000000000000';
