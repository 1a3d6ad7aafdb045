import { channelEvents } from "../../management/events/channel-events.sql.ts";
import { bulk, text, uuid } from "../../platform/database/bulk.ts";
import type { Fragment } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** The contact of ended rows and the contact's connection, as they appear in events. */
export type TurnPlace = {
  readonly connectionId: string;
  readonly channel: string;
  readonly workspaceId: string;
  readonly contactId: string;
};

/** An ended row of the inbox, as it appears in events. */
export type ReceivedRow = { readonly id: string; readonly kind: string; readonly text: string };

const receivedRows = bulk<ReceivedRow>({
  id: uuid(({ id }) => id),
  message_id: text(({ id }) => id),
  kind: text(({ kind }) => kind),
  text: text((row) => row.text),
});

/** Returns a statement part that writes an event for each of `rows` that the part `ended` contains. */
export function receivedEvents(
  sql: Sql,
  { connectionId, channel, workspaceId, contactId }: TurnPlace,
  {
    rows,
    ended,
    state,
    sessionId,
    resultId = null,
  }: {
    readonly rows: readonly ReceivedRow[];
    readonly ended: ReturnType<Fragment>;
    readonly state: "done" | "merged" | "dropped";
    readonly sessionId: string | null;
    /** If absent or null, the contact's current result is used. */
    readonly resultId?: string | null;
  },
) {
  return channelEvents(sql, {
    type: "message.received",
    from: sql`(select * from ${receivedRows(sql, rows)} as i where i.id in (select id from ${ended})) as m`,
    workspaceId: sql`${workspaceId}::uuid`,
    orderKey: sql`${contactId}::uuid`,
    resultId: sql`coalesce(${resultId}::uuid, (select c.result_id from channel_contacts c where c.id = ${contactId}))`,
    content: {
      connectionId: sql`${connectionId}::text`,
      channel: sql`${channel}::text`,
      contactId: sql`${contactId}::text`,
      messageId: sql`m.message_id`,
      kind: sql`m.kind`,
      text: sql`m.text`,
      state: sql`${state}::text`,
      sessionId: sql`${sessionId}::text`,
    },
    part: sql`received`,
  });
}
