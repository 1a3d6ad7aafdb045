import { bulk, text, uuid } from "../../platform/database/bulk.ts";
import { type Fragment, nothing } from "../../platform/database/fragment.sql.ts";
import type { StartToSave, StepToSave } from "./records.ts";

const channelRows = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  contact_id: uuid(({ contactId }) => contactId ?? null),
});

/**
 * Returns the part of a save that adds a row for each step whose messages must be rendered for a messenger. Adds no row
 * if the contact has been erased in the meantime.
 */
export function channelSteps(steps: readonly StepToSave[]): Fragment {
  const said = steps.filter(({ contactId }) => contactId !== undefined);
  return (sql) => sql`,
    said_steps as (
      select *
      from ${channelRows(sql, said)} as i
    ),
    channel_step_rows as (
      insert into channel_steps (shard, session_id, revision, connection_id, contact_id)
      select s.shard, s.id, s.revision, c.connection_id, c.id
      from said_steps i
      join saved s on s.id = i.session_id
      join channel_contacts c on c.id = i.contact_id
      on conflict do nothing
    )`;
}

const contactRows = bulk<StartToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  contact_id: uuid(({ contactId }) => contactId ?? null),
  channel: text(({ channel }) => channel),
});

type ChannelStarts = Readonly<
  Record<"list" | "sessionColumn" | "sessionValue" | "resultColumns" | "resultValues", Fragment>
>;

/**
 * Returns the parts of a save of starts that store the contacts of their sessions and results. The parts are empty in a
 * batch without contacts, so that the statement can be reused.
 */
export function channelStarts(starts: readonly StartToSave[]): ChannelStarts {
  const begun = starts.filter(({ contactId }) => contactId !== undefined);
  if (begun.length === 0) return ofTheWeb;
  return {
    list: (sql) => sql`
    begun_contacts as (
      select *
      from ${contactRows(sql, begun)} as i
    ),`,
    sessionColumn: (sql) => sql`, channel_contact_id`,
    sessionValue: (sql) => sql`, (select b.contact_id from begun_contacts b where b.session_id = saved.id)`,
    resultColumns: (sql) => sql`, channel, contact_id`,
    resultValues: (sql) => sql`,
        (select b.channel from begun_contacts b where b.session_id = saved.id),
        (select b.contact_id from begun_contacts b where b.session_id = saved.id)`,
  };
}

const ofTheWeb: ChannelStarts = {
  list: nothing,
  sessionColumn: nothing,
  sessionValue: nothing,
  resultColumns: nothing,
  resultValues: nothing,
};
