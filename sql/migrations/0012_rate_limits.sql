-- What the keys of rate limits owe that use much, as all processes together have told. It is worth nothing after a crash, so
-- no log is written of it.
create unlogged table rate_limit_debts (
  key text primary key,
  debt_ms double precision not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 50);
