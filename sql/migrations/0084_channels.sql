-- Older nodes: run beside it.
-- They neither hold connections nor take webhooks; a connection can be enabled only when none of them is connected, and a chat of a channel writes a
-- state that they leave alone.
-- One number or bot account of a messenger, with its credentials.
create table channel_connections (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null,
  name text not null,
  -- What the provider knows it by, and what people see: a bot's id and its @name.
  external_id text not null,
  display text,
  settings json not null,
  sealed bytea not null,
  -- The secrets before they were rotated, which sign calls until then.
  previous bytea,
  previous_until timestamptz(3),
  -- What is shown of the secrets.
  hint json not null,
  -- The bots that it asks, in this order.
  bots json not null,
  is_enabled boolean not null,
  disabled_reason text,
  -- The instance that it was enabled for: a copy of the database elsewhere does not talk beside it.
  enabled_for text,
  -- Refused calls of its webhook: how many, when the last one came, and why.
  refused_calls integer not null default 0,
  refused_at timestamptz(3),
  refused_why text,
  last_call_at timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock(),
  -- Nobody finds it any more; what belongs to it goes in batches, and then itself.
  deleted_at timestamptz(3)
);
create unique index channel_connections_external on channel_connections (channel, external_id) where deleted_at is null;
create index channel_connections_workspace on channel_connections (workspace_id, created_at, id);

-- What changes while a connection runs, apart from what people wrote. One process holds a connection: it takes in and sends.
create table channel_leases (
  connection_id uuid primary key references channel_connections on delete cascade,
  holder uuid,
  held_until timestamptz(3),
  -- A process that asks for it, as its own share is smaller.
  wanted_by uuid,
  wanted_until timestamptz(3),
  -- The last update that is stored, where updates are asked for.
  last_update_id bigint,
  -- Sendings wait until then, since the provider refuses all of them; and how often in a row it did.
  paused_until timestamptz(3),
  refusals integer not null default 0,
  failing_since timestamptz(3),
  last_inbound_at timestamptz(3),
  last_outbound_at timestamptz(3)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = false);

-- A person or a group, as one connection knows them.
create table channel_contacts (
  id uuid primary key,
  connection_id uuid not null,
  kind text not null,
  name text,
  username text,
  language text,
  -- The address that messages go to.
  address_kind text not null,
  address_value text not null,
  opted_out_at timestamptz(3),
  blocked_at timestamptz(3),
  -- The chat that goes on, its bot and result.
  session_id uuid,
  result_id uuid,
  bot_id uuid,
  -- When the bot asked last, by which the chat expires; and whether the contact was told that it did.
  asked_at timestamptz(3),
  expires_at timestamptz(3),
  next_sequence bigint not null default 1,
  last_inbound_at timestamptz(3),
  -- What is said once: that no bot answers (in a day), that a kind of message cannot be read, that something failed (in a chat).
  no_bot_at timestamptz(3),
  unsupported_session_id uuid,
  failed_session_id uuid,
  created_at timestamptz(3) not null default clock()
) with (fillfactor = 80);
create index channel_contacts_connection on channel_contacts (connection_id, (coalesce(last_inbound_at, created_at)) desc, id desc);
create index channel_contacts_session on channel_contacts (session_id) where session_id is not null;

create table channel_addresses (
  connection_id uuid not null,
  kind text not null,
  value text not null,
  contact_id uuid not null,
  primary key (connection_id, kind, value)
);
create index channel_addresses_contact on channel_addresses (contact_id);

-- Contacts who were erased after they had asked for no more messages: hashes of their addresses.
create table channel_opt_outs (
  connection_id uuid not null,
  hash bytea not null,
  created_at timestamptz(3) not null default clock(),
  primary key (connection_id, hash)
);

-- One thing that a provider reported: a step exactly once.
create table channel_inbox (
  -- Of the connection.
  shard smallint not null,
  id uuid not null,
  connection_id uuid not null,
  provider_id text not null,
  -- The holder finds the contact by its addresses.
  contact_id uuid,
  kind text not null,
  -- The event as the channel read it; null when its time is over, or the contact is erased.
  content json,
  provider_time timestamptz(3),
  received_at timestamptz(3) not null default clock(),
  -- The order of what came; where a provider numbers its updates, their number.
  sequence bigint not null,
  state text not null default 'waiting',
  reason text,
  -- What is done with it, written whole before it is done.
  decision json,
  -- A failed attempt waits until then.
  attempts integer not null default 0,
  not_before timestamptz(3),
  session_id uuid,
  revision integer,
  primary key (shard, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_threshold = 5000, vacuum_truncate = false);
create unique index channel_inbox_once on channel_inbox (shard, connection_id, provider_id);
create index channel_inbox_waiting on channel_inbox (connection_id, sequence, id) where state = 'waiting';
create index channel_inbox_contact on channel_inbox (contact_id, id) where contact_id is not null;
create index channel_inbox_session on channel_inbox (session_id) where session_id is not null;
create index channel_inbox_age on channel_inbox (received_at);
create index channel_inbox_content on channel_inbox (received_at) where content is not null;

-- Saved steps whose messages are not rendered yet. The save of the step writes the row, whoever took it.
create table channel_steps (
  -- Of the session.
  shard smallint not null,
  session_id uuid not null,
  revision integer not null,
  connection_id uuid not null,
  contact_id uuid not null,
  created_at timestamptz(3) not null default clock(),
  primary key (shard, session_id, revision)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = false);
create index channel_steps_connection on channel_steps (connection_id, contact_id, session_id, revision);

-- One message that we owe a contact.
create table channel_sendings (
  -- Of the connection.
  shard smallint not null,
  id uuid not null,
  connection_id uuid not null,
  contact_id uuid not null,
  -- The order of a contact's messages.
  sequence bigint not null,
  -- step, notice, test.
  source text not null,
  session_id uuid,
  revision integer,
  position smallint,
  -- As the provider takes it; null when its time is over, or the contact is erased. What each of its buttons does.
  message json,
  choices json,
  delay_ms integer not null default 0,
  not_before timestamptz(3),
  state text not null default 'pending',
  attempts integer not null default 0,
  attempted_at timestamptz(3),
  provider_id text,
  error_class text,
  error_code text,
  error_detail text,
  created_at timestamptz(3) not null default clock(),
  settled_at timestamptz(3),
  primary key (shard, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_threshold = 5000, vacuum_truncate = false);
create unique index channel_sendings_once on channel_sendings (shard, session_id, revision, position) where session_id is not null;
create index channel_sendings_open on channel_sendings (connection_id, contact_id, sequence) where state in ('pending', 'sending');
create index channel_sendings_contact on channel_sendings (contact_id, sequence);
create index channel_sendings_session on channel_sendings (session_id) where session_id is not null;
create index channel_sendings_provider on channel_sendings (connection_id, provider_id) where provider_id is not null;
create index channel_sendings_age on channel_sendings (created_at);
create index channel_sendings_content on channel_sendings (created_at) where message is not null;

-- Files that lie with the provider already. A cache: what is missing is sent again.
create table channel_media (
  connection_id uuid not null,
  source_hash bytea not null,
  type text not null,
  media_id text not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  primary key (connection_id, source_hash, type)
);

-- The contact of a chat on a messenger; null on the web.
alter table sessions add column channel_contact_id uuid;
alter table results add column channel text;
alter table results add column contact_id uuid;
