-- An invitation may be to one bot. An address has one open invitation to a place: a second one takes the place of the first.

alter table invitations
  add column bot_id uuid references bots (id) on delete cascade,
  -- What the bot's collaborator may do; null for invitations to the whole workspace.
  add column type text check (type in ('READ', 'WRITE'));

delete from invitations older
using invitations newer
where newer.workspace_id = older.workspace_id
  and lower(newer.email) = lower(older.email)
  and (newer.created_at, newer.id) > (older.created_at, older.id);

create unique index invitations_place on invitations (workspace_id, lower(email), bot_id) nulls not distinct;
create index invitations_bot on invitations (bot_id) where bot_id is not null;
