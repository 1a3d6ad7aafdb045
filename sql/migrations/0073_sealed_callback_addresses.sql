-- Older nodes: run beside it.
-- Nodes that know this migration read addresses of callbacks that tell nothing (`2.…`). While others are connected, none are handed out.
comment on table instance_keys is 'Keys that all nodes share. The addresses of callbacks are sealed and signed with callback-addresses.';
