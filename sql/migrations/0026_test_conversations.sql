-- Conversations that a bot is held to: what a visitor says, and what is expected of the bot.
create table test_conversations (
  bot_id uuid not null references bots (id) on delete cascade,
  name text not null,
  conversation json not null,
  -- Whether publishing is refused while it fails.
  is_required boolean not null,
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock(),
  primary key (bot_id, name)
);
