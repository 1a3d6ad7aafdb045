-- Plans are kept by connections. Statistics of a table with a few dozen rows would make the plan of a step read tables from end to end,
-- and it would stay while thousands of rows come in; without any statistics the keys are used. So none are gathered early.
alter table sessions set (autovacuum_analyze_threshold = 5000, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = 5000);
alter table results set (autovacuum_analyze_threshold = 5000, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = 5000);
alter table steps set (autovacuum_analyze_threshold = 5000, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = 5000);
alter table answers set (autovacuum_analyze_threshold = 5000, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = 5000);

-- Every save asks whether anybody is suspended.
create index workspaces_suspended on workspaces (id) where is_suspended;
