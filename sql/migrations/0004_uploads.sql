-- Secrets that all nodes share and that belong to the database: made once, never changed.
create table instance_keys (
  name text primary key,
  key bytea not null,
  created_at timestamptz(3) not null default clock()
);

-- What visitors upload. A row is made with the address to upload to; the content lies in the storage under a name made
-- of the id. Spread by shard like results and sessions: a file takes its session's.
create table files (
  shard smallint not null,
  id uuid not null,
  session_id uuid not null,
  -- Counts the session's files: two that are made at once cannot both pass the session's bounds.
  number smallint not null,
  -- Null for previews, which keep nothing.
  result_id uuid,
  bot_id uuid not null,
  block_id text not null,
  -- What the visitor calls it, and its type as the visitor's client says.
  name text not null,
  extension text not null,
  type text not null,
  -- Whether everybody who knows the address may open it.
  is_public boolean not null,
  max_bytes integer not null,
  url_expires_at timestamptz(3) not null,
  -- Somebody is handing the content to the storage until then.
  storing_until timestamptz(3),
  -- Null until the content is stored; it never changes afterwards.
  bytes integer,
  hash bytea,
  stored_at timestamptz(3),
  -- An answer names it: it stays as long as its result.
  is_answered boolean not null default false,
  -- Nobody sees it any more; row and content go as soon as the storage has let go of the content.
  is_removed boolean not null default false,
  remove_after timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  primary key (shard, id)
);
create unique index files_session on files (shard, session_id, number);
create index files_result on files (shard, result_id, created_at desc, id desc) where result_id is not null;
-- What the clean-up looks through: files that no answer names yet, and files to be removed.
create index files_open on files (created_at) where not is_answered and not is_removed;
create index files_removed on files (remove_after) where is_removed;
