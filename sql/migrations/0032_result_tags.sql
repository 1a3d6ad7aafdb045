-- Built outside of a transaction, as visitors write results all the time. Few results have tags: those are looked at for one of them.

create index concurrently results_tagged on results (bot_id, created_at desc, id desc) where not is_archived and tags is not null;
