-- Tokens of a deactivated user do not count.
alter table users add column deactivated_at timestamptz(3);
