-- Older nodes: run beside it.
-- Whose result waits to be read: by it workspaces take turns, and a bot's results are known that the index lacks. Null where a node of an earlier release wrote the row:
-- the next turn looks it up. `insight_results` has its bot from the beginning on, too.
alter table results_to_read add column bot_id uuid;

alter table insight_progress
  -- Results that were there before are queued, to be read and counted.
  add column found_until timestamptz(3),
  -- The workspace whose turn it is, or was last, and the results that its turn took: in counting, and in reading values.
  add column count_turn uuid,
  add column count_taken integer not null default 0,
  add column read_turn uuid,
  add column read_taken integer not null default 0;
update insight_progress set found_until = counted_until;

-- Of an export that was allowed to be partial: the time up to which it surely has all results.
alter table result_exports add column as_of timestamptz(3);
