-- Older nodes: run beside it.
-- They count no uploads: what comes over them is beyond the day's bound.
-- The bytes of files that visitors uploaded to bots of a workspace on a day, in UTC.
create table upload_days (
  workspace_id uuid not null references workspaces on delete cascade,
  day date not null,
  bytes bigint not null,
  -- The first upload that the bound refused, and when ADMINs were written to as it came near.
  refused_at timestamptz(3),
  warned_at timestamptz(3),
  primary key (workspace_id, day)
);
create index upload_days_day on upload_days (day);

-- What counts where a setting is absent: an instance that people used before this migration keeps what it had.
create table instance_defaults (
  is_only boolean primary key default true check (is_only),
  -- ANONYMOUS_MEGABYTES_A_DAY; 0: no bound.
  anonymous_megabytes_a_day integer not null
);
insert into instance_defaults (anonymous_megabytes_a_day)
select case when exists (select from users) then 0 else 20000 end;
