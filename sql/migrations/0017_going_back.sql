-- Where a bot lets its visitors go back. All columns are null everywhere else, so adding them rewrites nothing.
alter table steps
  -- The session's state before a step that took an answer; of the last twenty of a session.
  add column state_before text,
  -- The revision that the visitor went back to with this step: the steps between the two are taken back.
  add column went_back_to integer;

-- An answer that the visitor took back stays, and is left out of a result's answers.
alter table answers add column replaced_at timestamptz(3);

-- Like the state of a session: nobody asks for them, and samples would outlive the erasure of what they were taken from.
alter table steps alter column state_before set statistics 0;
