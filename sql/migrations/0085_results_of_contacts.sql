-- Older nodes: run beside it.
-- The results of a contact, in the order of lists.
create index concurrently results_contact on results (bot_id, contact_id, created_at desc, id desc) where contact_id is not null;
