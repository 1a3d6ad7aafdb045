-- Who is signed in: a browser keeps the secret in a cookie, and the database its hash.
create table sign_ins (
  id uuid primary key,
  hash bytea not null unique,
  user_id uuid not null references users (id) on delete cascade,
  method text not null check (method in ('link', 'token', 'email', 'invitation')),
  -- The token that it was made from: it may what that one may, and ends with it.
  token_id uuid references api_tokens (id) on delete cascade,
  -- Such as `Firefox on Linux`.
  browser text not null,
  created_at timestamptz(3) not null default clock(),
  -- To the hour.
  last_used_at timestamptz(3) not null default clock()
);
create index sign_ins_list on sign_ins (user_id, created_at desc, id desc);
create index sign_ins_token on sign_ins (token_id);
-- What the clean-up looks through.
create index sign_ins_age on sign_ins (last_used_at);

-- What signs somebody in once: links, and codes that were mailed. `address` proves that a user has an e-mail address.
create table sign_in_codes (
  id uuid primary key,
  kind text not null check (kind in ('link', 'email', 'address')),
  -- Null: nobody has the address.
  user_id uuid references users (id) on delete cascade,
  email text,
  hash bytea not null,
  -- How often another code was tried.
  tries integer not null default 0,
  created_at timestamptz(3) not null default clock()
);
create unique index sign_in_codes_link on sign_in_codes (hash) where kind = 'link';
create unique index sign_in_codes_email on sign_in_codes (lower(email)) where kind = 'email';
create unique index sign_in_codes_address on sign_in_codes (user_id) where kind = 'address';
create index sign_in_codes_user on sign_in_codes (user_id);
create index sign_in_codes_age on sign_in_codes (created_at);

-- What only one's own pages read.
alter table users add column preferences json;
-- For the first time. Null: never.
alter table users add column signed_in_at timestamptz(3);
