-- Older nodes: run beside it.
-- They take steps without it: the holder of a connection then sees by the last step that a chat has not expired yet.
alter table channel_contacts
  -- When the holder of its connection looks whether the chat has expired, to say so; null: it says nothing.
  add column expiry_due_at timestamptz(3);
create index channel_contacts_expiry on channel_contacts (connection_id, expiry_due_at) where expiry_due_at is not null;
