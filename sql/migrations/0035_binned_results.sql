-- Built outside of a transaction, as visitors write results all the time. By it results of the bin are found by their age; the others by `results_list`.

create index concurrently results_binned on results (bot_id, created_at) where erase_after is not null;
