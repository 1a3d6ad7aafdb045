-- Drafts are edited by change sets: `revision` counts them. What an editor keeps beside the flow is no part of it.
alter table bots add column revision integer not null default 0;
alter table bots add column editor json;

-- The change sets of drafts: from them come what open editors are told, conflicts, and the history.
create table bot_changes (
  bot_id uuid not null references bots (id) on delete cascade,
  -- The draft's revision with this set.
  revision integer not null,
  -- Made by the client: a set that comes twice is written once.
  set_id text not null,
  title text not null,
  changes json not null,
  -- What takes the set back.
  inverse json not null,
  -- Of both.
  bytes integer not null,
  -- The whole draft with this set, now and then: a restore begins there.
  draft json,
  user_id uuid,
  token_id uuid,
  created_at timestamptz(3) not null,
  primary key (bot_id, revision)
);
create unique index bot_changes_set on bot_changes (bot_id, set_id);
-- What the clean-up looks through.
create index bot_changes_age on bot_changes (created_at);
create index bots_many_changes on bots (revision) where revision > 10000;
