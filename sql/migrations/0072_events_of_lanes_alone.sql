-- Older nodes: run beside it.
-- The former index of lanes, in place of event_deliveries_lane: with it, a chat would be looked for in its lane. Nodes of an older release find
-- what is due by the other index until they end, which takes longer where much waits.
drop index event_deliveries_due;
