-- For how many days a bot keeps what visitors say, from the moment that a result began. Null: until somebody deletes it.
alter table bots add column results_retention_days integer check (results_retention_days between 1 and 3650);
create index bots_retention on bots (id) where results_retention_days is not null;
