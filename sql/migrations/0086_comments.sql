-- Older nodes: run beside it.
-- They neither write nor tell of comments.
-- Comments of people on a bot's draft. A thread is named by its first comment.
create table comments (
  id uuid primary key,
  bot_id uuid not null references bots on delete cascade,
  thread_id uuid not null,
  -- Null: the user no longer exists.
  user_id uuid references users on delete set null,
  -- The place of a thread: a group, block or frame by its id, or a point of the canvas. Null in answers.
  place json,
  text text not null,
  mentions uuid[] not null,
  -- A first comment that was deleted while others had answered: without its words.
  is_removed boolean not null default false,
  resolved_at timestamptz(3),
  resolved_by uuid references users on delete set null,
  edited_at timestamptz(3),
  created_at timestamptz(3) not null default clock()
);
create index comments_list on comments (bot_id, created_at desc, id desc);
create index comments_user on comments (user_id);
create index comments_resolved_by on comments (resolved_by) where resolved_by is not null;

-- How often a bot's comments have changed, for those who have it open.
create table comment_revisions (
  bot_id uuid primary key references bots on delete cascade,
  revision integer not null
);

-- Up to when somebody has seen a bot's comments.
create table comment_reads (
  bot_id uuid not null references bots on delete cascade,
  user_id uuid not null references users on delete cascade,
  seen_at timestamptz(3) not null,
  primary key (bot_id, user_id)
);
create index comment_reads_user on comment_reads (user_id);
