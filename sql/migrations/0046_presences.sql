-- Who has a draft open, and where in it. After a crash of the database nobody has, until they say so again.
create unlogged table presences (
  bot_id uuid not null references bots (id) on delete cascade,
  -- Made by the client: one for each tab.
  id text not null,
  user_id uuid not null,
  at text,
  seen_at timestamptz(3) not null,
  primary key (bot_id, id)
);
-- What the clean-up looks through.
create index presences_age on presences (seen_at);
