-- Bots are found by parts of their names and public ids, and listed by name or by their last change. The extension is of PostgreSQL's own, and
-- one that whoever may make a schema in the database may make, too, as the queue's is made.

create extension if not exists pg_trgm;

create index bots_search on bots using gin (name gin_trgm_ops, public_id gin_trgm_ops);
create index bots_by_name on bots (workspace_id, lower(name), id) where not is_archived;
create index bots_by_change on bots (workspace_id, updated_at desc, id desc) where not is_archived;
