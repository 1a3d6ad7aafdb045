-- Older nodes: run beside it.
-- The highest timeline of each PostgreSQL cluster that this database has been on, by the cluster's identifier: an old primary that comes back is known by a
-- lower one. `epoch` counts how often an operator has overruled that; `told_epoch` is the highest that another line of databases is known to have.
create table known_timelines (
  system_identifier text primary key,
  timeline bigint not null,
  epoch integer not null default 0,
  told_epoch integer not null default 0,
  noted_at timestamptz(3) not null default clock()
);
