-- Since when and why a workspace is suspended; null where it is not, and the reason also where the operator said none.
alter table workspaces
  add column suspended_at timestamptz(3),
  add column suspended_reason text;
update workspaces set suspended_at = updated_at where is_suspended;
create index workspaces_suspensions on workspaces (suspended_at desc, id desc) where suspended_at is not null;
