-- Older nodes: run beside it.
-- The pending events of a lane, under a condition of their own: "status = 'pending'" does not imply it for the planner, so that neither this
-- index nor that of chats (event_deliveries_order) can be taken for the other. They were, after a vacuum that met one or two pending events.
create index concurrently event_deliveries_lane on event_deliveries (event_lane(order_key), endpoint_id, next_attempt_at, sequence)
  where status || '' = 'pending';
