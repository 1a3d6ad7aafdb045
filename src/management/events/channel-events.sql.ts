import type { EventContent, EventType } from "../../events.ts";
import type { Fragment } from "../../platform/database/fragment.sql.ts";
import type { Statements } from "../../platform/database/sql.ts";
import { turnOf } from "./bot-events.sql.ts";

type Part = ReturnType<Fragment>;

/**
 * Returns the part of a statement that writes an event of a messenger for each endpoint of the workspace that
 * subscribes to it. It writes one event for each row of `from`, another part of the statement. Ids in its content are
 * passed as texts.
 */
export function channelEvents<Type extends EventType>(
  sql: Statements,
  event: {
    readonly type: Type;
    readonly from: Part;
    readonly workspaceId: Part;
    /**
     * The contact's id, or otherwise the connection's id. Events with the same key are delivered in order, and erasure
     * finds events by their key.
     */
    readonly orderKey: Part;
    /** The event's result. The event is erased together with this result. */
    readonly resultId?: Part;
    readonly content: { readonly [Name in keyof EventContent<Type>]: Part };
    /** The name of the part, if the statement writes several events. */
    readonly part?: Part;
  },
) {
  const { type, from, workspaceId, orderKey, resultId = sql`null::uuid`, part = sql`event_rows` } = event;
  const members = Object.entries<Part>(event.content).map(
    ([name, value], at) => sql`${at === 0 ? sql`` : sql`,`} ${name}::text, ${value}`,
  );
  return sql`,
    ${part} as (
      insert into event_deliveries (id, endpoint_id, type, result_id, order_key, content, next_attempt_at)
      select new_id(), p.id, ${type}, ${resultId}, ${orderKey}, json_build_object(${members}), ${turnOf(sql, orderKey)}
      from ${from}
      join event_endpoints p on p.workspace_id = ${workspaceId}
      where p.is_enabled
        and ${type} = any(p.event_types)
    )`;
}
