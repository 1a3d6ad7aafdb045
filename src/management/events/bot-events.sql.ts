import type { EventContent, EventType } from "../../events.ts";
import type { Fragment } from "../../platform/database/fragment.sql.ts";
import type { Statements } from "../../platform/database/sql.ts";

type Part = ReturnType<Fragment>;

/**
 * The part of a publication that writes its events, from the publishing statement's `bot` (id, number, public_id).
 */
export function publishedEvents(sql: Statements) {
  const content = { publicId: sql`bot.public_id`, number: sql`bot.number` };
  return botEvents(sql, { type: "bot.published", from: sql`bot`, botId: sql`bot.id`, orderKey: sql`bot.id`, content });
}

/**
 * The part of a statement that writes an event of a bot for each endpoint that subscribes to it: of each row of `from`, another part of the
 * statement, with the content of the table of events.
 */
export function botEvents<Type extends EventType>(
  sql: Statements,
  event: {
    readonly type: Type;
    readonly from: Part;
    readonly botId: Part;
    /** Events of one key arrive in their order. */
    readonly orderKey: Part;
    readonly content: { readonly [Name in keyof EventContent<Type>]: Part };
  },
) {
  const { type, from, botId, orderKey } = event;
  const content = Object.entries<Part>(event.content).map(
    ([name, value], at) => sql`${at === 0 ? sql`` : sql`,`} ${name}::text, ${value}`,
  );
  return sql`,
    event_rows as (
      insert into event_deliveries (id, endpoint_id, type, bot_id, order_key, content, next_attempt_at)
      select new_id(), p.id, ${type}, ${botId}, ${orderKey}, json_build_object(${content}), ${turnOf(sql, orderKey)}
      from ${from}
      join bots b on b.id = ${botId}
      join event_endpoints p on p.workspace_id = b.workspace_id
      where p.is_enabled
        and ${type} = any(p.event_types)
    )`;
}

/** When a new event is due: with the first pending one of its key at the endpoint `p`, otherwise now (`management/events/delivery/queue.sql.ts`). */
export function turnOf(sql: Statements, orderKey: Part) {
  return sql`coalesce(
        (
          select w.next_attempt_at
          from event_deliveries w
          where w.endpoint_id = p.id
            and w.order_key = ${orderKey}
            and w.status = 'pending'
          order by w.sequence
          limit 1
        ),
        clock()
      )`;
}
