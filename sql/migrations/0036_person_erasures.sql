-- Receipts of what was erased of a person. Of the value that named them, and of results, they keep hashes.
create table person_erasures (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null,
  variable text not null,
  -- SHA-256 of the salt and the value.
  salt bytea not null,
  value_hash bytea not null,
  is_complete boolean not null,
  -- What was erased of each bot, in numbers.
  bots json not null,
  created_at timestamptz(3) not null default clock()
);
create index person_erasures_list on person_erasures (workspace_id, created_at desc, id desc);
