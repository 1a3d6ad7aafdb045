-- Older nodes: run beside it.
-- They open a file of authors under its own address alone.
-- Files of authors that came with a bot from another workspace have the id by which its flow names them: when that file is gone, its address shows this one.
alter table workspace_files add column copied_from uuid;
create index workspace_files_copied_from on workspace_files (copied_from) where copied_from is not null;
