-- What steps under way have told so far, for requests that join them on another node. It is worth nothing after a crash, so no log is
-- written of it: a row lives for seconds, and is written once a second.
create unlogged table answers_under_way (
  session_id uuid primary key,
  -- The step that is told of, by the id of its claim.
  step_id uuid not null,
  allowed_origins text[],
  said text,
  attempt integer,
  block_id text,
  content text,
  -- How often somebody has asked elsewhere that the answer ends.
  stops integer not null default 0,
  written_at timestamptz(3) not null
) with (fillfactor = 50);
