-- Requests of the management API that came with an Idempotency-Key: kept for a day, so that the same request is answered as the first time.

create table request_keys (
  -- The token that sent it; nil where none is needed.
  owner_id uuid not null,
  key text not null,
  -- Keyed by the token's text, since bodies may hold secrets.
  request_hash bytea not null,
  created_at timestamptz(3) not null default clock(),
  -- Encrypted under the token's text, which is not stored. Null while the request is under way, or where it was cut off.
  answer bytea,
  primary key (owner_id, key)
);
create index request_keys_age on request_keys (created_at);
