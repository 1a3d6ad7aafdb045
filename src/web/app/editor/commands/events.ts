import type { Change } from "../../../../core/editing/changes/change.ts";
import { entriesOf, valueAtPath } from "../../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject } from "../../../../core/interpreter/flow.ts";
import { type Command, changesOfEvent, objectWith } from "./command.ts";
import { asEdits, type TypedOver, typedInto } from "./typed-text.ts";

export const eventTypes = ["command", "reply", "invalidReply"] as const;
export type EventType = (typeof eventTypes)[number];

export const addEvent: Command<{ readonly type: EventType }> = {
  name: (words, { type }) => words.acts.addEvent(words.events[type]),
  make(draft, { type }, { newId }) {
    if (!Array.isArray(draft.events)) return { refused: "olderFlow" };
    const id = newId();
    const value: JsonObject = { id, type, graphCoordinates: { x: 0, y: -200 * draft.events.length } };
    const changes: Change[] = [{ op: "add", of: "event", value }];
    return { changes, selects: { kind: "event", id } };
  },
};

export const setInEvent: Command<{
  readonly eventId: string;
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
  readonly over?: TypedOver | undefined;
  readonly title?: string | undefined;
}> = {
  name: (words, { title }) => words.acts.setOption(title),
  make(draft, { eventId, path, value, over }) {
    const event = entriesOf(draft.events).find((entry) => isJsonObject(entry) && entry["id"] === eventId);
    if (!isJsonObject(event)) return { refused: "gone" };
    const typed = over ? typedInto(valueAtPath(event, path), { over, value, path }) : value;
    const changes = changesOfEvent(event, objectWith(event, path, typed));
    return {
      changes: over ? asEdits(draft, changes) : changes,
      field: `event/${eventId}/${JSON.stringify(path)}`,
    };
  },
};
