-- What workspaces call other services with: accounts of providers, and secrets that their flows name.

create table credentials (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  type text not null,
  name text not null,
  -- All members as JSON text, encrypted under ENCRYPTION_KEY for this row.
  sealed bytea not null,
  -- What of them is shown: of a secret only whether it is set, and its end.
  hint json not null,
  -- To the minute.
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create index credentials_list on credentials (workspace_id, created_at desc, id desc);

create table secrets (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  name text not null,
  -- Encrypted under ENCRYPTION_KEY for this row.
  sealed bytea not null,
  -- The only hosts that it may be sent to; null for all.
  hosts text[],
  note text,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create unique index secrets_name on secrets (workspace_id, name);
