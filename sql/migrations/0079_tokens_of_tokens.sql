-- Older nodes: run beside it.
-- A token that another token made ends with it, unless it was made to outlive it. Those of before, and of older nodes, have neither: they stay.
alter table api_tokens
  -- The token by which it was made, even if that is gone.
  add column made_by uuid,
  add column ends_with uuid references api_tokens on delete cascade;
create index api_tokens_ends_with on api_tokens (ends_with) where ends_with is not null;

-- How many codes were mailed to an address on a day, in UTC, whether it has an account or not.
create table code_mails (
  email text not null,
  day date not null,
  mails integer not null,
  primary key (email, day)
);
