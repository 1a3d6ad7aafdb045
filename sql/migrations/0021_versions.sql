-- A version that nobody published: the draft that a restore replaced.
alter table publications add column is_draft boolean not null default false;
