-- The errors of the linter that a publication was made in spite of, by the names of their rules; null where there were none.
alter table publications add column overruled_rules text[];
