-- What previews without a token keep, each under the bot id that was made for it: their budget is counted from this, and after an hour
-- all of it is removed.
create table anonymous_previews (
  bot_id uuid primary key,
  -- A hash of the client's address, where that is known.
  address bytea,
  bytes bigint not null,
  created_at timestamptz(3) not null default clock()
);

create index anonymous_previews_age on anonymous_previews (created_at);
