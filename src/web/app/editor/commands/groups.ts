import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { entriesOf } from "../../../../core/editing/changes/things.ts";
import {
  connect,
  disconnect,
  type EdgeTarget,
  type Outlet,
  removeParts,
} from "../../../../core/editing/references/outlets.ts";
import { isJsonObject, type JsonObject, textAt } from "../../../../core/interpreter/flow.ts";
import { countedParts } from "../../words/counted-parts.ts";
import { placeOfThing } from "../place-of-thing.ts";
import type { Point } from "./arrange.ts";
import { bounds, type Command, findGroup, groupsIn } from "./command.ts";

/**
 * Adds a group. `from` is the outlet that leads to the group, and `at` is the group's position on the canvas, if given.
 */
export const addGroup: Command<{ readonly title?: string; readonly from?: Outlet; readonly at?: Point }> = {
  name: (words) => words.acts.addGroup,
  make(draft, { title, from, at }, { newId }) {
    if (groupsIn(draft).length >= bounds.groups) return { refused: "tooManyGroups" };
    const id = newId();
    const value = {
      id,
      title: title ?? nextTitle(groupsIn(draft)),
      graphCoordinates: at ?? freePlace(groupsIn(draft)),
      blocks: [],
    };
    const leads = from ? connect(draft, from, { to: { groupId: id }, newEdgeId: newId() }) : [];
    return { changes: [{ op: "add", of: "group", value }, ...leads], selects: { kind: "group", id } };
  },
};

export const renameGroup: Command<{ readonly groupId: string; readonly title: string }> = {
  name: (words, { title }) => words.acts.renameGroup({ title }),
  make(draft, { groupId, title }) {
    const group = findGroup(draft, groupId);
    if (!group) return { refused: "gone" };
    if (group["title"] === title) return { changes: [] };
    return {
      changes: [{ op: "set", of: "group", id: groupId, path: ["title"], value: title }],
      field: `group/${groupId}/title`,
    };
  },
};

/** Removes objects, together with the edges from and to them. */
export const remove: Command<{
  readonly groupIds?: readonly string[];
  readonly blockIds?: readonly string[];
  readonly eventIds?: readonly string[];
  readonly items?: readonly { readonly blockId: string; readonly itemId: string }[];
  readonly noteIds?: readonly string[];
  readonly frameIds?: readonly string[];
}> = {
  name: (words, { groupIds = [], blockIds = [], eventIds = [], items = [], noteIds = [], frameIds = [] }) =>
    words.acts.remove({
      parts: countedParts({
        groups: groupIds.length,
        blocks: blockIds.length,
        events: eventIds.length,
        items: items.length,
        notes: noteIds.length,
        frames: frameIds.length,
      }),
    }),
  make(draft, parts) {
    const isStart = entriesOf(draft.events).some(
      (event) =>
        isJsonObject(event) && textAt(event, "type") === "start" && parts.eventIds?.includes(String(event["id"])),
    );
    if (isStart) return { refused: "start" };
    const { groupIds = [], noteIds = [], frameIds = [] } = parts;
    return {
      changes: [
        ...removeParts(draft, parts),
        ...noteIds.map((id): Change => ({ op: "remove", of: "note", id })),
        ...frameIds.map((id): Change => ({ op: "remove", of: "frame", id })),
        ...forgetGroups(draft, groupIds),
      ],
    };
  },
};

/** Returns the changes that remove the editor's data about groups, which is stored by group id. */
function forgetGroups({ editor }: DraftDocument, groupIds: readonly string[]): Change[] {
  return ["colors", "locks"].flatMap((key) => {
    const kept = editor?.[key];
    if (!isJsonObject(kept)) return [];
    return groupIds.flatMap((id): Change[] =>
      Object.hasOwn(kept, id) ? [{ op: "set", of: "editor", path: [key, id] }] : [],
    );
  });
}

/** Connects an outlet to a group, or to a block in a group. */
export const lead: Command<{ readonly from: Outlet; readonly to: EdgeTarget; readonly title?: string }> = {
  name: (words, { title }) => words.acts.connect({ title: title ?? "" }),
  make(draft, { from, to }, { newId }) {
    if (!findGroup(draft, to.groupId)) return { refused: "gone" };
    return { changes: connect(draft, from, { to, newEdgeId: newId() }) };
  },
};

export const unlead: Command<{ readonly from: Outlet }> = {
  name: (words) => words.acts.disconnect,
  make: (draft, { from }) => ({ changes: disconnect(draft, from) }),
};

/** Returns a title that no group has yet. */
export function nextTitle(groups: readonly JsonObject[]): string {
  const titles = new Set(groups.map(({ title }) => title));
  let number = groups.length + 1;
  while (titles.has(`Group #${number}`)) number++;
  return `Group #${number}`;
}

/** Returns a position to the right of all groups. */
function freePlace(groups: readonly JsonObject[]): { x: number; y: number } {
  const last = groups.map(placeOfThing).reduce((most, at) => (at.x > most.x ? at : most), { x: -360, y: 0 });
  return { x: last.x + 360, y: last.y };
}
