-- Older nodes: run beside it.
-- By which a person is found in any spelling. The first characters of a value suffice: the whole of it is compared in the result itself. It follows from columns that older nodes write.
create index concurrently result_values_folded on result_values (bot_id, name, left(folded(value), 64), created_at desc, result_id desc);
