-- Outbound events are delivered by lanes: the chats of an endpoint are spread over eight, and a node leases each for seconds.

-- The lane of a chat's events: three of the random bits of its id.
create function event_lane(order_key uuid) returns smallint
  language sql immutable parallel safe
  return (get_byte(uuid_send(order_key), 15) & 7)::smallint;

-- One row for each lane that was ever leased.
create table event_lanes (
  endpoint_id uuid not null references event_endpoints (id) on delete cascade,
  lane smallint not null,
  -- The process that delivers; null when it gave the lane up.
  holder uuid,
  held_until timestamptz(3),
  -- A process with nothing to do that asks for the lane, since its events are late.
  wanted_by uuid,
  wanted_until timestamptz(3),
  primary key (endpoint_id, lane)
);
create index event_lanes_holder on event_lanes (holder) where holder is not null;

alter table event_endpoints
  -- The most calls under way at once, on all nodes together.
  add column max_concurrency integer not null default 128,
  -- The most events in one call.
  add column batch_size integer not null default 1,
  -- Since when its oldest pending event is late, or too many wait; null while it keeps up.
  add column falling_behind_since timestamptz(3),
  -- When the workspace was told that events are about to be given up.
  add column giving_up_told_at timestamptz(3);

-- Nodes of the former release, which run beside for a while, read more without this one, and no less right.
drop index event_deliveries_due;
create index event_deliveries_due on event_deliveries (endpoint_id, event_lane(order_key), next_attempt_at, sequence) where status = 'pending';

-- The oldest pending one is found by it, beside any number that were given up.
drop index event_deliveries_undelivered;
create index event_deliveries_undelivered on event_deliveries (endpoint_id, status, created_at desc, id desc) where status <> 'delivered';
