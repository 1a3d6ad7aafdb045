-- Older nodes: run beside it.
-- The one chat that has written all of a result's variables. Null where several have, and in results of before: then a save merges. A node of an earlier
-- release overwrites without a word here, so that all saves merge while one is connected.
alter table results add column writer_session_id uuid;

-- The variables of a result after a step of one of its chats: those that the step set replace those of the same name, and the others stay. `sent` has the
-- chat's variables, and after U+001F what the step wrote of them: see `WrittenInStep`. They are compared as they are written in JSON. Gives the
-- chat's variables as they are where the result has nothing else, or has none (null).
create function merged_variables(kept json, sent text) returns json
  language sql immutable parallel safe
as $$
  with chat as (
    select split_part(sent, E'\x1f', 1)::json as variables, nullif(split_part(sent, E'\x1f', 2), '')::json as written
  ),
  set_here as (
    select entry::text as id
    from chat
    cross join json_array_elements(written -> 'set') as entry
  ),
  listed as (
    select entry, place, (entry -> 'id')::text as id, (entry -> 'name')::text as name,
      written is null or coalesce((entry -> 'id')::text in (select id from set_here), false) as is_set
    from chat
    cross join json_array_elements(variables) with ordinality as v (entry, place)
  ),
  removed as (
    select (entry -> 'id')::text as id, (entry -> 'name')::text as name
    from chat
    cross join json_array_elements(written -> 'removed') as entry
  ),
  namesakes as (
    select entry::text as id
    from chat
    cross join json_array_elements(written -> 'namesakes') as entry
  ),
  others as (
    select k.entry, k.place, k.id, k.name
    from (
      select entry, place, (entry -> 'id')::text as id, (entry -> 'name')::text as name
      from json_array_elements(kept) with ordinality as e (entry, place)
    ) as k
    where not exists (
        select
        from listed l
        where l.is_set
          and l.name = k.name
          and (l.id = k.id or k.id not in (select id from namesakes))
      )
      and not exists (select from removed r where r.id = k.id and r.name = k.name)
  )
  select case
    when kept is null then (select variables from chat)
    when (select count(*) from others) = (select count(*) from listed where not is_set)
      and not exists (
        select
        from others o
        where not exists (
          select
          from listed l
          where not l.is_set and l.id = o.id and l.name = o.name and (l.entry -> 'value')::text = (o.entry -> 'value')::text
        )
      )
      then (select variables from chat)
    else (
      select coalesce(json_agg(entry order by is_set, place), '[]')
      from (
        select entry, place, false as is_set from others
        union all
        select entry, place, true from listed where is_set
      ) as whole
    )
  end
$$;

-- The variables of a result after one of its chats went back. `changes` are those that the chat had and those that it has now, each with its id, its name,
-- its value before (`had`) and now (`has`), null without one. It changes where the result still has the value that the chat had.
create function taken_back_variables(kept json, changes json) returns json
  language sql immutable parallel safe
as $$
  with changed as (
    select (entry -> 'id') as id, (entry -> 'name') as name, (entry -> 'had')::text as had, entry -> 'has' as has, place
    from json_array_elements(changes) with ordinality as c (entry, place)
  ),
  listed as (
    select entry, place, (entry -> 'id')::text as id, (entry -> 'name')::text as name, (entry -> 'value')::text as value
    from json_array_elements(kept) with ordinality as k (entry, place)
  )
  select coalesce(json_agg(entry order by is_new, place), '[]')
  from (
    select
      case
        when c.had = l.value then json_build_object('id', c.id, 'name', c.name, 'value', c.has)
        else l.entry
      end as entry,
      l.place,
      false as is_new
    from listed l
    left join changed c on c.id::text = l.id and c.name::text = l.name
    where c.had is distinct from l.value or c.has::text <> 'null'
    union all
    select json_build_object('id', c.id, 'name', c.name, 'value', c.has), c.place, true
    from changed c
    where c.had = 'null'
      and c.has::text <> 'null'
      and not exists (select from listed l where l.id = c.id::text and l.name = c.name::text)
  ) as whole
$$;
