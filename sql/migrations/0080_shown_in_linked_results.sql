-- Older nodes: run beside it.
-- The result of a linked bot that is not merged, in which a payment or a rating happened: it shows the row, which belongs to `result_id`. Null: in that one
-- itself, in a row of before, or in one that an older node wrote. That result names the chat as its `writer_session_id`.
alter table payments add column linked_result_id uuid;
alter table answer_ratings add column linked_result_id uuid;
