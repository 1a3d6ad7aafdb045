-- Logs in the order in which they were written, whatever a clock says. Those from before this column come first, by their ids: it was
-- added without a default, so that no row is rewritten, and only new rows take the default.
create sequence logs_position;
alter table logs add column position bigint;
alter table logs alter column position set default nextval('logs_position');
