-- Older nodes: run beside it.
-- The payments that were made in a bot's chats, for their sums in insight.
create index concurrently payments_of_bot on payments (bot_id) where status = 'succeeded' and not is_test;
