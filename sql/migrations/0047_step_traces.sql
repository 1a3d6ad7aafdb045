-- What a step of a traced preview did: blocks, variables, effects, logs. Null for all others, so adding it rewrites nothing. Nobody asks for
-- it, and samples would outlive its erasure.
alter table steps
  add column trace text,
  alter column trace set statistics 0;
