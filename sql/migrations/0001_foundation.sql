-- Conventions: ids are uuid (26 characters of base 32 outside), times are timestamptz(3) of the database's clock.
-- Flows, themes and settings are json, not jsonb: what was sent comes back as it was sent.
-- The large tables (sessions, steps, results, answers, logs, visited_edges) have keys that begin with (shard, id), carry the
-- bot's id, and have no foreign keys among themselves, so that they can be spread over servers by shard.

-- The database's clock, cut (not rounded) to milliseconds.
create function clock() returns timestamptz(3)
  language sql stable parallel safe
  return date_trunc('milliseconds', statement_timestamp());

create table users (
  id uuid primary key,
  name text not null,
  email text,
  is_administrator boolean not null default false,
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create unique index users_email on users (lower(email));
create index users_list on users (created_at desc, id desc);

create table workspaces (
  id uuid primary key,
  name text not null,
  icon text,
  plan text not null default 'FREE',
  payment_provider_id text,
  is_suspended boolean not null default false,
  is_past_due boolean not null default false,
  is_verified boolean not null default false,
  -- A deleted workspace is hidden from everybody and its bots are archived; the row stays for a grace period.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);

create table api_tokens (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  workspace_id uuid references workspaces (id) on delete cascade,
  name text not null,
  hash bytea not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  is_instance_token boolean not null default false,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default clock()
);
create unique index api_tokens_hash on api_tokens (hash);
create index api_tokens_user on api_tokens (user_id, created_at desc, id desc);
create index api_tokens_workspace on api_tokens (workspace_id);
-- One token at most is the one that ADMIN_TOKEN or the first start made.
create unique index api_tokens_instance on api_tokens (is_instance_token) where is_instance_token;

create table members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('ADMIN', 'MEMBER', 'GUEST')),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock(),
  primary key (workspace_id, user_id)
);
create index members_user on members (user_id, workspace_id);
create index members_list on members (workspace_id, created_at desc, user_id desc);

create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  email text not null,
  role text not null check (role in ('ADMIN', 'MEMBER', 'GUEST')),
  code_hash bytea not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create unique index invitations_code on invitations (code_hash);
create index invitations_workspace on invitations (workspace_id, created_at desc, id desc);

create table folders (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  parent_folder_id uuid references folders (id) on delete set null,
  name text not null,
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create index folders_list on folders (workspace_id, parent_folder_id, created_at desc, id desc);
create index folders_parent on folders (parent_folder_id);

create table bots (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  folder_id uuid references folders (id) on delete set null,
  version text not null,
  name text not null,
  icon text,
  events json,
  groups json not null,
  edges json not null,
  variables json not null,
  theme json not null,
  settings json not null,
  selected_theme_template_id text,
  results_table_preferences json,
  public_id text,
  custom_domain text,
  messenger_credentials_id text,
  risk_level double precision,
  is_closed boolean not null default false,
  is_archived boolean not null default false,
  -- The publication that visitors meet; null when the bot is not published.
  publication_number integer,
  -- How many publications were ever made: the next one's number is one more, also after the bot was unpublished.
  publication_count integer not null default 0,
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create unique index bots_public_id on bots (lower(public_id));
create unique index bots_custom_domain on bots (lower(custom_domain));
create index bots_workspace on bots (workspace_id, created_at desc, id desc) where not is_archived;
create index bots_folder on bots (workspace_id, folder_id, created_at desc, id desc) where not is_archived;
create index bots_folder_key on bots (folder_id);
create index bots_workspace_key on bots (workspace_id);

create table collaborators (
  bot_id uuid not null references bots (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  type text not null check (type in ('READ', 'WRITE')),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock(),
  primary key (bot_id, user_id)
);
create index collaborators_list on collaborators (bot_id, created_at desc, user_id desc);
create index collaborators_user on collaborators (user_id, bot_id);

-- A flow is content: immutable, addressed by the SHA-256 of its canonical form, never shared between bots.
-- `facts` is the little of it that a request needs before a worker thinks: origins, remembering, the closing sentence.
create table flows (
  bot_id uuid not null,
  hash bytea not null,
  content json not null,
  facts json not null,
  created_at timestamptz(3) not null default clock(),
  primary key (bot_id, hash)
);

create table publications (
  bot_id uuid not null references bots (id) on delete cascade,
  number integer not null,
  id uuid not null,
  flow_hash bytea not null,
  published_by uuid,
  note text,
  created_at timestamptz(3) not null default clock(),
  primary key (bot_id, number)
);

create table results (
  shard smallint not null,
  id uuid not null,
  bot_id uuid not null,
  variables json not null default '[]',
  has_started boolean not null default false,
  is_completed boolean not null default false,
  is_archived boolean not null default false,
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock(),
  primary key (shard, id)
) with (fillfactor = 80);
create index results_list on results (bot_id, created_at desc, id desc) where not is_archived;

create table sessions (
  shard smallint not null,
  id uuid not null,
  bot_id uuid not null,
  flow_hash bytea not null,
  publication_number integer,
  result_id uuid,
  -- Counts saved steps: a save names the revision it read and makes the next one.
  revision integer not null,
  last_step_id uuid,
  -- What the interpreter needs to go on, as it wrote it; empty once the chat has ended.
  state text not null,
  allowed_origins text[],
  lifetime_minutes integer not null,
  expires_at timestamptz(3) not null,
  -- Expiry by the hour: the only indexed column that steps ever change, and then once an hour.
  expires_hour timestamptz(0) not null,
  is_ended boolean not null default false,
  dialect text not null,
  -- Begun without a token on a supplied flow: performs no effect.
  is_anonymous boolean not null default false,
  -- Who performs effects has claimed the step; see src/README.md.
  claim_step_id uuid,
  claim_hash bytea,
  claim_now timestamptz(3),
  claim_seed text,
  claim_until timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock(),
  primary key (shard, id)
) with (fillfactor = 70);
create index sessions_expiry on sessions (expires_hour);
create index sessions_result on sessions (shard, result_id, id desc) where result_id is not null;
create index sessions_flow on sessions (bot_id, flow_hash);

create table steps (
  shard smallint not null,
  session_id uuid not null,
  revision integer not null,
  id uuid not null,
  bot_id uuid not null,
  key text,
  request_hash bytea,
  reply json,
  response json not null,
  created_at timestamptz(3) not null default clock(),
  primary key (shard, session_id, revision)
);
create unique index steps_key on steps (shard, session_id, key) where key is not null;

create table answers (
  shard smallint not null,
  result_id uuid not null,
  created_at timestamptz(3) not null default clock(),
  session_id uuid not null,
  revision integer not null,
  position smallint not null,
  bot_id uuid not null,
  block_id text not null,
  group_id text not null,
  variable_id text,
  content text not null,
  attached_file_urls text[],
  primary key (shard, result_id, created_at, session_id, revision, position)
);

create table logs (
  shard smallint not null,
  result_id uuid not null,
  id uuid not null,
  bot_id uuid not null,
  status text not null,
  description text not null,
  details text,
  context text,
  created_at timestamptz(3) not null default clock(),
  primary key (shard, result_id, id)
);

-- Edges off the default path, in the order they were taken: item edges, jumps, tests. Analytics read them.
create table visited_edges (
  shard smallint not null,
  result_id uuid not null,
  session_id uuid not null,
  position integer not null,
  bot_id uuid not null,
  edge_id text not null,
  created_at timestamptz(3) not null default clock(),
  primary key (shard, result_id, session_id, position)
);

-- Idempotency keys of starts: only the key tells two visitors apart, so it belongs to the bot (or to the path of a preview).
-- A row without session is a claim: a start with effects is under way until claim_until.
create table start_keys (
  scope text not null,
  key text not null,
  request_hash bytea not null,
  session_id uuid,
  response json,
  claim_now timestamptz(3),
  claim_seed text,
  claim_until timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  primary key (scope, key)
);
create index start_keys_age on start_keys (created_at);

-- Effects that the flow does not read back: written with the step, delivered afterwards, at least once, each under its id.
create table outbox (
  id uuid primary key,
  queue text not null,
  order_key text,
  data json not null,
  -- When it may be taken next: whoever takes a job puts this off until the delivery is surely over.
  run_at timestamptz(3) not null default clock(),
  attempts smallint not null default 0
);
create index outbox_due on outbox (run_at, id);
