-- What a step was taken with besides its reply (its clock, its seed, what came of its effects), so that it can be replayed. Null for the
-- steps of earlier releases and of previews, so adding it rewrites nothing. Nobody asks for it, and samples would outlive its erasure.
alter table steps
  add column inputs text,
  alter column inputs set statistics 0;
