-- Endpoints of workspaces that are told what happens, and the log of what they were told.

-- A new id as the service makes them: 48 bits of milliseconds, then randomness; for rows that a statement multiplies.
create function new_id() returns uuid
  language sql volatile parallel safe
  return (
    lpad(to_hex((extract(epoch from clock()) * 1000)::bigint), 12, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 20)
  )::uuid;

create table event_endpoints (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  url text not null,
  description text,
  event_types text[] not null,
  is_enabled boolean not null default true,
  -- Why the service itself switched it off; null when a person did.
  disabled_reason text,
  -- Encrypted under ENCRYPTION_KEY. The previous one still signs for a while after a rotation.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  -- Since when nothing could be delivered; null when the last attempt succeeded.
  failing_since timestamptz(3),
  -- Jobs in a row that found nobody there: each makes the pause before the next longer.
  unreachable_jobs integer not null default 0,
  paused_until timestamptz(3),
  -- The one job that delivers now: only one at a time, so that order holds.
  lease_id uuid,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create index event_endpoints_list on event_endpoints (workspace_id, created_at desc, id desc);

-- One row for each event and endpoint: waiting to be delivered, then the log of it. Its id is the message's `webhook-id`.
-- No foreign keys: the statement that saves a step writes these rows, and would lock the endpoint's row for each.
create table event_deliveries (
  id uuid primary key,
  endpoint_id uuid not null,
  type text not null,
  bot_id uuid,
  result_id uuid,
  session_id uuid,
  -- Events with one key reach the endpoint one after the other, by their sequence: those of a session, or of a bot.
  order_key uuid not null,
  sequence bigint not null generated always as identity,
  -- What the event tells beside its ids, as json so that each attempt sends it as it was written.
  content json,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default clock(),
  -- An attempt that fails after this was the last.
  give_up_at timestamptz(3) not null default clock() + interval '3 days',
  last_attempt_at timestamptz(3),
  last_status_code integer,
  last_error text,
  last_response text,
  created_at timestamptz(3) not null default clock()
);
create index event_deliveries_list on event_deliveries (endpoint_id, created_at desc, id desc);
create index event_deliveries_undelivered on event_deliveries (endpoint_id, created_at desc, id desc) where status <> 'delivered';
create index event_deliveries_due on event_deliveries (endpoint_id, next_attempt_at, sequence) where status = 'pending';
create index event_deliveries_order on event_deliveries (endpoint_id, order_key, sequence) where status = 'pending';
create index event_deliveries_result on event_deliveries (result_id) where result_id is not null;
-- A result starts and completes once, also when two sessions write it at the same moment.
create unique index event_deliveries_once on event_deliveries (result_id, endpoint_id, type) where type in ('result.started', 'result.completed');
