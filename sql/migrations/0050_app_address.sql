-- `/app` is the builder's address. A bot that has it gets a free one; one in the bin comes back with none.
update bots
set former_public_id = null
where lower(former_public_id) = 'app';

with taken as (
  select id, public_id
  from bots
  where lower(public_id) = 'app'
)
update bots
set public_id = 'app-' || substr(md5(random()::text || bots.id::text), 1, 12),
  updated_at = greatest(clock(), bots.updated_at + interval '1 millisecond')
from taken
where bots.id = taken.id
returning 'A bot has another public id: app is the builder''s' as note, bots.id as bot_id, taken.public_id as was, bots.public_id as is_now;
