-- What became of the effects of a step that is under way: who takes it up after a crash does not perform them again.
create table effect_reports (
  shard smallint not null,
  session_id uuid not null,
  key bytea not null,
  report json not null,
  created_at timestamptz(3) not null default clock(),
  primary key (shard, session_id, key)
);
create index effect_reports_age on effect_reports (created_at);
