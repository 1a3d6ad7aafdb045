-- Older nodes: run beside it.
-- Whose content a kept answer has: its rights are asked anew before it is given again, and it is deleted when content of that bot is erased.
alter table request_keys
  add column workspace_id uuid,
  -- Null for an answer that has content of several bots of the workspace.
  add column bot_id uuid,
  -- Whether the answer has content of bots or results. Null where a node of an earlier release wrote the row, or content was erased while the request was
  -- under way: then it is no answer to an operation that shows content.
  add column shows boolean;

-- Of these it is not known. They live for a day; a request that is under way keeps its key.
delete from request_keys where answer is not null;

create index request_keys_bot on request_keys (bot_id) where bot_id is not null;
create index request_keys_workspace on request_keys (workspace_id) where workspace_id is not null;

-- `result_values` has answers from now on, where a variable does not have their value: named by U+0001 and the id of their variable, or by U+0002 if the visitor took
-- them back. Results of before are met by a walk of their own, from this id on; null: they all are. It begins when no older node is connected, since those read
-- results without their answers.
alter table result_walks add column answers_from uuid default '00000000-0000-0000-0000-000000000000';
