-- The step that holds a start's claim, as sessions name theirs: the end of a claim, which named it before, comes twice where the
-- clock steps back.
alter table start_keys add column claim_step_id uuid;
