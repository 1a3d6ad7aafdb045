import type { Change } from "../../../../core/editing/changes/change.ts";
import { objectsIn } from "../../../../core/editing/changes/things.ts";
import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import type { Command } from "./command.ts";
import { type Setting, setIn } from "./typed-text.ts";

export const eventTypes = ["command", "reply", "invalidReply"] as const;
export type EventType = (typeof eventTypes)[number];

export const addEvent: Command<{ readonly type: EventType }> = {
  name: (words, { type }) => words.acts.addEvent({ name: words.events[type] }),
  make(draft, { type }, { newId }) {
    if (!Array.isArray(draft.events)) return { refused: "olderFlow" };
    const id = newId();
    const value: JsonObject = { id, type, graphCoordinates: { x: 0, y: -200 * draft.events.length } };
    const changes: Change[] = [{ op: "add", of: "event", value }];
    return { changes, selects: { kind: "event", id } };
  },
};

export const setInEvent: Command<
  {
    readonly eventId: string;
  } & Setting
> = {
  name: (words, { title }) => words.acts.setOption({ field: title }),
  make: (draft, { eventId, ...setting }) =>
    setIn(
      draft,
      "event",
      objectsIn(draft.events).find(({ id }) => id === eventId),
      setting,
    ),
};
