import type { EventContent, EventType } from "../../events.ts";
import type { Fragment } from "../../platform/database/fragment.sql.ts";
import type { Statements } from "../../platform/database/sql.ts";

type Part = ReturnType<Fragment>;

/**
 * Returns the part of a publishing statement that writes the event `bot.published`. It reads the part `bot` (id,
 * number, public_id).
 */
export function publishedEvents(sql: Statements) {
  const content = { publicId: sql`bot.public_id`, number: sql`bot.number` };
  return botEvents(sql, { type: "bot.published", from: sql`bot`, botId: sql`bot.id`, orderKey: sql`bot.id`, content });
}

/**
 * Returns the part of a statement that writes an event of a bot, or of one of its results, for each endpoint that
 * subscribes to it. It writes one event for each row of `from`, another part of the statement. The table of events
 * defines the content.
 */
export function botEvents<Type extends EventType>(
  sql: Statements,
  event: {
    readonly type: Type;
    readonly from: Part;
    readonly botId: Part;
    readonly result?: { readonly id: Part; readonly sessionId: Part };
    /** Events with the same key are delivered in order. */
    readonly orderKey: Part;
    readonly content: { readonly [Name in keyof EventContent<Type>]: Part };
    /** The name of the part, if the statement writes several events. */
    readonly part?: Part;
  },
) {
  const { type, from, botId, orderKey, result, part = sql`event_rows` } = event;
  const members = Object.entries<Part>(event.content).map(
    ([name, value], at) => sql`${at === 0 ? sql`` : sql`,`} ${name}::text, ${value}`,
  );
  const content = members.length === 0 ? sql`null::json` : sql`json_build_object(${members})`;
  return sql`,
    ${part} as (
      insert into event_deliveries (id, endpoint_id, type, bot_id, result_id, session_id, order_key, content, next_attempt_at)
      select
        new_id(), p.id, ${type}, ${botId}, ${result?.id ?? sql`null::uuid`}, ${result?.sessionId ?? sql`null::uuid`}, ${orderKey},
        ${content}, ${turnOf(sql, orderKey)}
      from ${from}
      join bots b on b.id = ${botId}
      join event_endpoints p on p.workspace_id = b.workspace_id
      where p.is_enabled
        and ${type} = any(p.event_types)
    )`;
}

/**
 * Returns the part of a statement that writes an event for each row of `member_changes` (workspace_id, former_role,
 * role) in which the two roles differ. A row without a former role means that the member was added, and a row without a
 * role that the member was removed.
 */
export function memberEvents(sql: Statements, userId: string) {
  return sql`,
    event_rows as (
      insert into event_deliveries (id, endpoint_id, type, order_key, content, next_attempt_at)
      select
        new_id(), p.id, c.type, ${userId}::uuid, json_build_object('userId', ${userId}::text, 'role', coalesce(c.role, c.former_role)),
        ${turnOf(sql, sql`${userId}::uuid`)}
      from (
        select
          *,
          case
            when former_role is null then 'member.added'
            when role is null then 'member.removed'
            else 'member.changed'
          end as type
        from member_changes
        where former_role is distinct from role
      ) c
      join event_endpoints p on p.workspace_id = c.workspace_id
      where p.is_enabled
        and c.type = any(p.event_types)
    )`;
}

/**
 * Returns SQL for the time at which a new event is due: the time of the first pending event with the same key at the
 * endpoint `p`, or otherwise now (`management/events/delivery/queue.sql.ts`).
 */
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
