-- Older nodes: run beside it.
-- They know a start again by its own public id alone.
-- The public id by which a start with a key named its bot, which its hash has: the same start by a later public id of the bot is known again.
alter table start_keys add column public_id text;
