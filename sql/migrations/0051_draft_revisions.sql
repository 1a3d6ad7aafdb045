-- The newest revision of the draft that is known to have held this flow: another one is a draft that visitors do not meet. Absent for what was published before this.
alter table publications add column draft_revision integer;
