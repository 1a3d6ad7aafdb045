-- Built outside of a transaction, as visitors write results all the time.

create index concurrently results_bin on results (bot_id, erase_after desc, id desc) where erase_after is not null;
create index concurrently results_due on results (erase_after) where erase_after is not null;
