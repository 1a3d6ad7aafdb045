-- Older nodes: run beside it.
-- They count results without their payments: while one is connected, and until all results with payments were counted again, insight reads each payment.
-- Kinds of measures that all results are counted with.
create table counted_kinds (
  kind text primary key,
  created_at timestamptz(3) not null default clock()
);
