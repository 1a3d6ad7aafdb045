-- Older nodes: run beside it.
-- They change a draft without its picture, which a newer node draws again within minutes, since its revision differs.
alter table bots
  -- The shape of its flow, at most 2 kB; null until it is drawn.
  add column picture json,
  -- The revision of the draft that it shows.
  add column picture_revision integer,
  add column picture_at timestamptz(3);
create index bots_to_picture on bots (id) where not is_archived and picture_revision is distinct from revision;

-- The look and the voice that the themes of a workspace's bots are made of, at most 16 kB. Older nodes leave it alone.
alter table workspaces add column brand json;
