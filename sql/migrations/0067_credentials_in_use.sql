-- Older nodes: run beside it.
-- What a provider said when it refused a key in a live chat, and when.
alter table credentials
  add column last_problem text,
  add column last_problem_at timestamptz(3);

-- People who are connecting an account at its provider. A row is found by the hash of `state`, and used once.
create table oauth_states (
  hash bytea primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references users on delete cascade,
  credentials_id uuid references credentials on delete cascade,
  sealed bytea not null,
  created_at timestamptz(3) not null default clock()
);
create index oauth_states_by_user on oauth_states (user_id, created_at);
create index oauth_states_by_workspace on oauth_states (workspace_id);
create index oauth_states_by_credentials on oauth_states (credentials_id);
