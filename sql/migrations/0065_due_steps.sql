-- Older nodes: run beside it.
-- Steps that no request takes: an input whose time is over, a wait, a call that came early. A row may be taken once `held_until` has passed: at first when it is due,
-- then when its lease ends, or at the next attempt after a failure. `visit` names the visit of the block that the row is for, as the session's state does.
create table due_steps (
  shard smallint not null,
  session_id uuid not null,
  id uuid not null,
  bot_id uuid not null,
  kind text not null,
  visit text,
  due timestamptz(3) not null,
  content json,
  attempts integer not null default 0,
  held_by uuid,
  held_until timestamptz(3) not null,
  created_at timestamptz(3) not null default clock(),
  primary key (shard, session_id, id)
);
create index due_steps_free on due_steps (held_until);
