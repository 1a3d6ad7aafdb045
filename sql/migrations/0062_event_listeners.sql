-- Older nodes: run beside it.
-- When the listener of an endpoint (`parley listen`) last asked for its events; null: Parley sends them to its URL. Older nodes leave listeners alone, because they are paused for ever.
alter table event_endpoints add column listened_at timestamptz(3);
