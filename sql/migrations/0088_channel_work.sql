-- Older nodes: run beside it.
-- They look at every enabled connection when they ask for work, and find the same.
create index channel_connections_asked on channel_connections (id)
  where is_enabled and deleted_at is null and coalesce(settings ->> 'transport', '') = 'poll';
-- Connections that were never registered, since a process died while it connected them.
create index channel_connections_left on channel_connections (created_at) where not is_enabled and disabled_reason = 'unregistered';
-- Content by its connection, whose days are its own; failed messages of a contact.
drop index channel_inbox_content;
create index channel_inbox_content on channel_inbox (connection_id, received_at) where content is not null;
drop index channel_sendings_content;
create index channel_sendings_content on channel_sendings (connection_id, created_at) where message is not null;
create index channel_sendings_failed on channel_sendings (contact_id, sequence) where state = 'failed';
