-- Older nodes: run beside it.
-- One payment for each visit of an input that takes one. The row comes before the provider is asked, and `intent_id` or `checkout_id` after. Each
-- object that the provider makes for it has its own `attempt`: a new one is made once the one before is cancelled. `taken_revision`: the step that went on with it.
-- `next_check_at`: when the provider is asked again, because no report of it came; null once that is of no use.
create table payments (
  shard smallint not null,
  id uuid not null,
  session_id uuid not null,
  bot_id uuid not null,
  result_id uuid,
  block_id text not null,
  credentials_id uuid not null,
  is_test boolean not null,
  amount integer not null,
  currency text not null,
  details json,
  status text not null default 'open',
  attempt integer not null default 1,
  is_checkout boolean not null default false,
  intent_id text,
  checkout_id text,
  taken_revision integer,
  is_late boolean not null default false,
  next_check_at timestamptz(3),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock(),
  primary key (shard, id)
);
create index payments_of_session on payments (shard, session_id);
create index payments_of_result on payments (shard, result_id) where result_id is not null;
create unique index payments_intent on payments (shard, intent_id) where intent_id is not null;
create index payments_to_check on payments (next_check_at) where next_check_at is not null;

-- Whether a payment of the result was made.
alter table results add column is_paid boolean not null default false;
