-- Older nodes: run beside it.
-- What of a call under way is sent: its provider counts that much, also where a crash cuts the call off.
alter table model_reservations
  add column sent_tokens bigint not null default 0,
  add column sent_money numeric not null default 0;
