-- Older nodes: run beside it.
-- They know nothing of the table: the ratings of a result that they erase stay until a newer node removes the rest of it, a day later; and they count none.
-- A visitor's rating of one bubble of a model in one step; the last one counts.
create table answer_ratings (
  shard smallint not null,
  session_id uuid not null,
  revision integer not null,
  block_id text not null,
  result_id uuid not null,
  bot_id uuid not null,
  is_good boolean not null,
  words text,
  rated_at timestamptz(3) not null default clock(),
  primary key (shard, session_id, revision, block_id)
);
create index answer_ratings_result on answer_ratings (shard, result_id);
