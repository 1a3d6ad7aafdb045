-- Each question about events has one index that fits, whatever the planner believes. Endpoints and chats come after the last
-- analyze, and of what it did not see the planner expects one row: where several indexes began with the endpoint, any seemed as
-- good, and a backlog of some thousands was read from end to end for each of its rows.

-- What is due in a lane. It begins with the lane and not with the endpoint, so that a chat is not looked for here.
drop index event_deliveries_due;
create index event_deliveries_due on event_deliveries (event_lane(order_key), endpoint_id, next_attempt_at, sequence)
  where status = 'pending';

-- The events of a chat that still wait, in order. It begins with the chat, so that a lane is not looked for here.
drop index event_deliveries_order;
create index event_deliveries_order on event_deliveries (order_key, endpoint_id, sequence) where status = 'pending';

-- What lists them. "status = 'pending'" does not imply its condition for the planner: whoever means this index says it so.
drop index event_deliveries_undelivered;
create index event_deliveries_undelivered on event_deliveries (endpoint_id, status, created_at desc, id desc)
  where status || '' <> 'delivered';

-- Without statistics the planner expects a part of the table of an endpoint that it did not see, not one row.
alter table event_deliveries
  alter column endpoint_id set statistics 0,
  alter column order_key set statistics 0;
