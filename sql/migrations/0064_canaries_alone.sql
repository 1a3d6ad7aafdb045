-- Older nodes: run beside it.
-- Whether a version was only ever a canary: nobody goes back to one by mistake.
alter table publications add column is_only_canary boolean not null default false;
