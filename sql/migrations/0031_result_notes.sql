-- What people note of a result. No step changes or reads either, and neither is there for results without.
alter table results
  add column tags text[],
  add column note text;
-- What people wrote is not sampled for statistics.
alter table results
  alter column tags set statistics 0,
  alter column note set statistics 0;
