-- Older nodes: run beside it.
-- Keys at the top of an imported file that nothing here reads, for its export.
alter table bots add column extra json;
