-- What calls of language models may come to, and what they came to.

-- What a workspace says of them. Without a row: no budget.
create table model_settings (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  day_tokens bigint check (day_tokens >= 0),
  day_money numeric check (day_money >= 0),
  month_tokens bigint check (month_tokens >= 0),
  month_money numeric check (month_money >= 0),
  keep_calls_days smallint not null check (keep_calls_days between 0 and 90),
  updated_at timestamptz(3) not null default clock()
);

-- What a workspace pays for a million tokens, in money of its own.
create table model_prices (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  type text not null,
  model text not null,
  price_in numeric not null check (price_in >= 0),
  price_cached numeric not null check (price_cached >= 0),
  price_out numeric not null check (price_out >= 0),
  primary key (workspace_id, type, model)
);

-- What was spent of budgets: a row for each bot, and one for the workspace, which is locked first by whoever writes any of them.
create table model_spending (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- 00000000-0000-0000-0000-000000000000: all of the workspace.
  bot_id uuid not null,
  -- The day (UTC) of the last call: what is spent is spent of that day, and of its month.
  day date not null default 'epoch',
  day_tokens bigint not null default 0,
  day_money numeric not null default 0,
  month_tokens bigint not null default 0,
  month_money numeric not null default 0,
  -- What calls under way have taken.
  reserved_tokens bigint not null default 0,
  reserved_money numeric not null default 0,
  -- Which shares of which budgets were told of: {"day.tokens": "2026-11-22 080"}.
  told jsonb not null default '{}',
  primary key (workspace_id, bot_id)
) with (fillfactor = 50);

-- What each call under way has taken. One that stays for ten minutes was left by a crash.
create table model_reservations (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  bot_id uuid not null,
  type text not null,
  model text not null,
  tokens bigint not null,
  money numeric not null,
  created_at timestamptz(3) not null default clock(),
  primary key (workspace_id, id)
);

-- What calls came to. It has nothing of what was said, and outlives results and bots.
create table model_usage (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  day date not null default (clock() at time zone 'UTC')::date,
  bot_id uuid not null,
  type text not null,
  model text not null,
  calls bigint not null default 0,
  tokens_in bigint not null default 0,
  tokens_cached bigint not null default 0,
  tokens_out bigint not null default 0,
  -- Null: the model had no price.
  money numeric,
  primary key (workspace_id, day, bot_id, type, model)
);

-- Each call of a result, with what was sent and answered, for as many days as the workspace says.
create table model_calls (
  shard smallint not null,
  result_id uuid not null,
  id uuid not null,
  bot_id uuid not null,
  workspace_id uuid not null,
  session_id uuid not null,
  block_id text not null,
  type text not null,
  model text not null,
  -- How the answer ended, or why there is none.
  ended text not null,
  tries smallint not null,
  first_text_ms integer,
  duration_ms integer not null,
  -- Null where there is no answer.
  tokens_in bigint,
  tokens_cached bigint,
  tokens_out bigint,
  is_estimated boolean not null,
  money numeric,
  -- JSON texts, which may be cut.
  request text not null,
  answer text,
  created_at timestamptz(3) not null default clock(),
  primary key (shard, result_id, id)
);
create index model_calls_age on model_calls (workspace_id, created_at);
-- What visitors said is not sampled for statistics.
alter table model_calls alter column request set statistics 0;
alter table model_calls alter column answer set statistics 0;
