-- Older nodes: run beside it.
-- Whose results wait, and since when.
create index concurrently results_to_read_bot on results_to_read (bot_id, next_at);
create index concurrently insight_results_bot on insight_results (bot_id, next_at) where next_at is not null;
-- Those whose bot is yet to be found.
create index concurrently results_to_read_unowned on results_to_read (next_at) where bot_id is null;
create index concurrently insight_results_unowned on insight_results (next_at) where bot_id is null and next_at is not null;
