-- Until then the chats that run on earlier versions are looked for, to move to this one; null where they stay on theirs.
alter table publications add column moves_chats_until timestamptz(3);
create index publications_moving on publications (bot_id) where moves_chats_until is not null;

-- The version that a chat moves to at the next input where it can.
alter table sessions add column moving_to integer;

-- A version that some percent of new chats begin on, beside the one that visitors meet; all null where there is none.
alter table bots
  add column canary_number integer,
  add column canary_percent smallint,
  add column canary_since timestamptz(3);

-- The version that a result's first chat began on; null in rows of earlier releases.
alter table results add column publication_number integer;
