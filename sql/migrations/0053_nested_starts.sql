-- Older nodes: run beside it.
-- Chats that a visit has started by calls of its own, counted at its first step for all nodes. It is worth nothing after a crash,
-- so no log is written of it.
create unlogged table nested_starts (
  key text primary key,
  starts integer not null,
  counted_from timestamptz(3) not null
) with (fillfactor = 50);
