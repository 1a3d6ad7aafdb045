-- Older nodes: run beside it.
-- An export goes on where its process died: with the parts of it that lie in the storage, and from the result behind them. `attempt` is of the process that makes it:
-- one that stood still meanwhile writes nothing any more.
alter table result_exports
  add column attempt integer not null default 0,
  add column parts json;
alter table result_exports alter column parts set statistics 0;
