-- Themes that a workspace keeps, to give them to its bots.
create table theme_templates (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  name text not null,
  theme json not null,
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create index theme_templates_list on theme_templates (workspace_id, created_at desc, id desc);
