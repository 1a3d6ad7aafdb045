-- Tables that grow without end, or never rest. Measured: sql/README.md and test/bench/README.md.

-- Vacuum comes after a share of a table's rows has died, one in five unless said otherwise: with ten million sessions that
-- would be after two million dead ones, all at once. A small share keeps each visit short and lets their space be used again.
-- Steps update sessions and results in place (HOT: no index changes), so most of what they leave goes without any vacuum.
-- Truncation is off where rows come and go all the time: it would lock the table, on stand-bys too, for pages needed again soon.
alter table sessions set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05, vacuum_truncate = false
);
alter table results set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Only added to, and removed by the clean-up in batches. Vacuum also comes after inserts, so that freezing is done little by
-- little and not for the whole table on one bad day.
alter table steps set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, vacuum_truncate = false
);
alter table answers set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table logs set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table visited_edges set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table start_keys set (autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = false);

-- Queues: nearly empty, and every row soon dead. A share of their rows means nothing; a number does.
alter table outbox set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = false
);
alter table mails set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = false
);

-- By queue first: what waits in one queue is not in the way of another.
drop index outbox_due;
create index outbox_due on outbox (queue, run_at, id);

-- Lists of those who answered, for bots that many see and few answer. A result's first answer enters it in its indexes anew (its
-- other steps do not: 77 % instead of 98 % of a result's changes are HOT), which no measurement of whole steps could tell from none.
create index results_started on results (bot_id, created_at desc, id desc) where not is_archived and has_started;

-- No statistics on what people said: the planner never asks for them, and samples kept in the catalog would outlive the
-- erasure of what they were taken from.
alter table sessions alter column state set statistics 0;
alter table answers alter column content set statistics 0;
alter table answers alter column attached_file_urls set statistics 0;
alter table logs alter column description set statistics 0;
alter table logs alter column details set statistics 0;
alter table steps alter column key set statistics 0;
alter table files alter column name set statistics 0;
