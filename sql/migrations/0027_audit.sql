-- Who wrote what by the management API. An entry is there before its write begins, and is completed when the write is done: one whose request
-- never came to its end keeps the outcome `begun`. Entries outlive what they are about, so they refer to nothing by foreign key.

create table audit_entries (
  id uuid primary key,
  created_at timestamptz(3) not null default clock(),
  -- Null: it is about the instance, its users or their tokens.
  workspace_id uuid,
  -- Null until an invitation that somebody new accepts has made them.
  user_id uuid,
  token_id uuid,
  -- The token may be gone.
  token_name text,
  -- As rate limits count it.
  address text,
  request_id text not null,
  operation text not null,
  subject text,
  subject_ids text[] not null,
  outcome text not null default 'begun' check (outcome in ('begun', 'done', 'failed')),
  before_hash bytea,
  after_hash bytea,
  changed_paths text[] not null default '{}',
  changed_count integer not null default 0
);
create index audit_entries_workspace on audit_entries (workspace_id, created_at desc, id desc);
create index audit_entries_list on audit_entries (created_at desc, id desc);
