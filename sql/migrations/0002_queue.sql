-- Jobs only lie in the outbox until a relay hands them to the queue, which counts their tries itself.
alter table outbox drop column attempts;

-- The mails that wait in the queue: a job there names its mail and nothing that a visitor said, so that erasing a result is one
-- statement over our own tables.
create table mails (
  id uuid primary key,
  shard smallint not null,
  result_id uuid not null,
  bot_id uuid not null,
  content json not null,
  -- Told in the result's log already.
  given_up_at timestamptz(3),
  created_at timestamptz(3) not null default clock()
);
create index mails_result on mails (shard, result_id);
create index mails_age on mails (created_at);

-- When a flow was last published or previewed: one that nothing names is removed a day later.
alter table flows add column used_at timestamptz(3) not null default clock();

-- Previews may run linked drafts that only their state names.
create index sessions_previews on sessions (bot_id) where publication_number is null;

-- An erased result takes the stored answer of its start with it.
create index start_keys_session on start_keys (session_id);

-- What is left of erased results, until it is removed.
create index results_archived on results (bot_id) where is_archived;

create index invitations_expiry on invitations (expires_at);
create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null;
create index bots_archived on bots (updated_at) where is_archived;
