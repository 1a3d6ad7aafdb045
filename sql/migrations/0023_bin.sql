-- What is deleted lies in a bin until `erase_after`, and can be restored with everything until then. `is_archived` says of bots and results that
-- nobody meets them: those in the bin have `erase_after` as well, bots that were only archived have not.

alter table bots
  add column deleted_at timestamptz(3),
  add column erase_after timestamptz(3),
  -- The folder or the workspace that it was deleted with, and is restored with.
  add column deleted_with uuid,
  -- What it was and had when it was deleted.
  add column was_archived boolean not null default false,
  add column former_public_id text,
  add column former_custom_domain text,
  -- Its chats have yet to be ended.
  add column ends_chats boolean not null default false;

update bots
set deleted_at = bots.updated_at,
  erase_after = bots.updated_at + interval '30 days',
  deleted_with = (select id from workspaces where id = bots.workspace_id and deleted_at is not null)
where is_archived;

drop index bots_archived;
create index bots_bin on bots (workspace_id, deleted_at desc, id desc) where deleted_at is not null;
create index bots_due on bots (erase_after) where erase_after is not null;
create index bots_ending on bots (deleted_at) where ends_chats;
create index bots_archive on bots (workspace_id, created_at desc, id desc) where is_archived and deleted_at is null;

alter table folders
  add column deleted_at timestamptz(3),
  add column erase_after timestamptz(3),
  add column deleted_with uuid,
  -- What lay in it and moved up when it was deleted.
  add column lifted_folder_ids uuid[],
  add column lifted_bot_ids uuid[];
create index folders_bin on folders (workspace_id, deleted_at desc, id desc) where deleted_at is not null;
create index folders_due on folders (erase_after) where erase_after is not null;

alter table workspaces add column erase_after timestamptz(3);
update workspaces set erase_after = deleted_at + interval '30 days' where deleted_at is not null;
drop index workspaces_deleted;
create index workspaces_due on workspaces (erase_after) where erase_after is not null;

-- No step changes it.
alter table results add column erase_after timestamptz(3);
