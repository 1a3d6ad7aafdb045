import type { Change } from "../../../../editing/change.ts";
import { entriesOf, idOf } from "../../../../editing/things.ts";
import { isJsonObject, type JsonObject } from "../../../../interpreter/flow.ts";
import { type Command, groupsIn } from "./command.ts";

/** Moves groups and events together, by as much each: one act, however far they were dragged on the way. */
export const moveCards: Command<{
  readonly ids: readonly string[];
  readonly by: { readonly x: number; readonly y: number };
}> = {
  id: "cards.move",
  name: (words, { ids }) => words.acts.moveGroups(ids.length),
  make(draft, { ids, by }) {
    const wanted = new Set(ids);
    const moved = (of: "group" | "event", things: readonly JsonObject[]): Change[] =>
      things.flatMap((thing): Change[] => {
        const id = idOf(thing);
        if (id === undefined || !wanted.has(id)) return [];
        const at = thing["graphCoordinates"];
        const held = isJsonObject(at) ? at : {};
        const to = (axis: "x" | "y"): number => numberAt(held, axis) + by[axis];
        return [{ op: "set", of, id, path: ["graphCoordinates"], value: { ...held, x: to("x"), y: to("y") } }];
      });
    return {
      changes: [...moved("group", groupsIn(draft)), ...moved("event", entriesOf(draft.events).filter(isJsonObject))],
    };
  },
};

function numberAt(holder: JsonObject, key: string): number {
  const value = holder[key];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
