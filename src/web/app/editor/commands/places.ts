import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { entriesOf, idOf, isSame } from "../../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject } from "../../../../core/interpreter/flow.ts";
import type { WordsOf } from "../../words/language.ts";
import { placeOfThing } from "../place-of-thing.ts";
import { type Axis, aligned, type Box, distributed, type Edge, type Point, type Size, type Thing } from "./arrange.ts";
import type { Command, Made } from "./command.ts";

/** Moves objects on the canvas by a distance. Consecutive steps of the arrow keys are one undo step. */
export const moveThings: Command<{ readonly things: readonly Thing[]; readonly by: Point; readonly byKeys?: boolean }> =
  {
    name: (words, { things }) => nameOfMove(words, things),
    make(draft, { things, by, byKeys = false }) {
      const places = things.flatMap((thing) => {
        const at = placeOf(draft, thing);
        return at ? [{ ...thing, x: at.x + by.x, y: at.y + by.y }] : [];
      });
      const made = placed(draft, places);
      return byKeys ? { ...made, field: `places/${things.map(({ id }) => id).join(" ")}` } : made;
    },
  };

/** Moves objects together, so that their common upper left corner is at the typed position. */
export const moveThingsTo: Command<{ readonly boxes: readonly Box[]; readonly to: Partial<Point> }> = {
  name: (words, { boxes }) => nameOfMove(words, boxes),
  make(draft, { boxes, to }) {
    const left = Math.min(...boxes.map(({ x }) => x));
    const top = Math.min(...boxes.map(({ y }) => y));
    const by = { x: to.x === undefined ? 0 : to.x - left, y: to.y === undefined ? 0 : to.y - top };
    return placed(
      draft,
      boxes.map((box) => ({ kind: box.kind, id: box.id, x: box.x + by.x, y: box.y + by.y })),
    );
  },
};

export const align: Command<{ readonly boxes: readonly Box[]; readonly edge: Edge }> = {
  name: (words, { edge }) => words.acts.align[edge],
  make(draft, { boxes, edge }) {
    return boxes.length < 2 ? { refused: "fewerThanTwo" } : placed(draft, aligned(boxes, edge));
  },
};

export const distribute: Command<{ readonly boxes: readonly Box[]; readonly axis: Axis }> = {
  name: (words, { axis }) => words.acts.distribute[axis],
  make(draft, { boxes, axis }) {
    return boxes.length < 3 ? { refused: "fewerThanThree" } : placed(draft, distributed(boxes, axis));
  },
};

/** Moves objects to the positions of a layout. Frames also get the size that their contents need. */
export const tidy: Command<{ readonly places: readonly Placed[] }> = {
  name: (words) => words.acts.tidy,
  make: (draft, { places }) => placed(draft, places),
};

/** Returns the name of a move, which mentions groups if only groups are moved, and cards otherwise. */
function nameOfMove({ acts }: WordsOf<"command">, things: readonly Thing[]): string {
  return (things.every(({ kind }) => kind === "group") ? acts.moveGroups : acts.moveThings)({ count: things.length });
}

/**
 * Returns the position of an object; undefined if the object does not exist. An object without a stored position is at
 * the origin.
 */
export function placeOf(draft: DraftDocument, { kind, id }: Thing): Point | undefined {
  const thing = entriesOf(lists[kind](draft)).find((entry) => idOf(entry) === id);
  return isJsonObject(thing) ? placeOfThing(thing) : undefined;
}

const lists: Readonly<Record<Thing["kind"], (draft: DraftDocument) => unknown>> = {
  group: ({ groups }) => groups,
  event: ({ events }) => events,
  note: ({ editor }) => editor?.["notes"],
  frame: ({ editor }) => editor?.["frames"],
};

/** The new position of an object, and its new size if the size changes. */
export type Placed = Thing & Point & Partial<Size>;

function placed(draft: DraftDocument, places: readonly Placed[]): Made {
  const wanted = new Map(places.map((place) => [`${place.kind} ${place.id}`, place]));
  const changes = (["group", "event", "note", "frame"] as const).flatMap((kind) =>
    entriesOf(lists[kind](draft)).flatMap((thing): Change[] => {
      const id = idOf(thing);
      const place = wanted.get(`${kind} ${id}`);
      if (id === undefined || !place || !isJsonObject(thing)) return [];
      const value = { ...coordinatesOf(thing), x: Math.round(place.x), y: Math.round(place.y) };
      const now = placeOfThing(thing);
      const { width, height } = place;
      const isOther = now.x !== value.x || now.y !== value.y;
      const size = width === undefined || height === undefined || kind !== "frame" ? undefined : { width, height };
      return [
        ...(isOther ? [{ op: "set", of: kind, id, path: ["graphCoordinates"], value } as const] : []),
        ...(size && !isSame(size, thing["size"])
          ? [{ op: "set", of: kind, id, path: ["size"], value: size } as const]
          : []),
      ];
    }),
  );
  return { changes };
}

function coordinatesOf({ graphCoordinates }: JsonObject): JsonObject {
  return isJsonObject(graphCoordinates) ? graphCoordinates : {};
}
