-- Files of authors: pictures, sounds, films and fonts that bots show. The content lies in the storage under a name made of the id.
create table workspace_files (
  id uuid primary key,
  -- No foreign key: a file outlives its workspace until the storage has let go of its content.
  workspace_id uuid not null,
  name text not null,
  extension text not null,
  -- As its content says.
  type text not null,
  bytes integer not null,
  hash bytea not null,
  uploaded_by uuid,
  -- Null until the content is stored; it never changes afterwards.
  stored_at timestamptz(3),
  -- Nobody sees it any more; row and content go as soon as the storage has let go of the content.
  is_removed boolean not null default false,
  remove_after timestamptz(3),
  created_at timestamptz(3) not null default clock()
);
create index workspace_files_list on workspace_files (workspace_id, created_at desc, id desc) where not is_removed;
-- What the clean-up looks through: uploads that were not finished, and files to be removed.
create index workspace_files_open on workspace_files (created_at) where stored_at is null and not is_removed;
create index workspace_files_removed on workspace_files (remove_after) where is_removed;
