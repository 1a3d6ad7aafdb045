-- A start that performs effects claims its key. Whoever takes it up after a crash goes on under the same ids, which the
-- effects' own keys are made of.
alter table start_keys
  add column claim_session_id uuid,
  add column claim_result_id uuid;
