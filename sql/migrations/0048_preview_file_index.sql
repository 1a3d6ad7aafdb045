-- By which the clean-up finds files of previews that are an hour old.
create index concurrently files_of_previews on files (created_at) where result_id is null and not is_removed;
