-- Queues whose jobs no node takes until somebody resumes them on the board.
create table paused_queues (
  queue text primary key,
  paused_at timestamptz(3) not null default clock()
);

-- What happened to a job, attempt by attempt: the queue itself keeps only the last outcome.
create table job_logs (
  id bigint generated always as identity primary key,
  job_id uuid not null,
  at timestamptz(3) not null default clock(),
  line text not null
);

create index job_logs_job on job_logs (job_id, id);
create index job_logs_at on job_logs (at);
