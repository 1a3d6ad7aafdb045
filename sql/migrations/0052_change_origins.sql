-- What made a change set where no author did: 'restore'. Absent for acts of authors, and for what was written before this.
alter table bot_changes add column origin text;
