import { batch } from "@preact/signals";
import { moveThings } from "../../editor/commands/places.ts";
import { isInCard, type Selectable, thingsOf } from "../../editor/selection.ts";
import { announce } from "../../ui/index.ts";
import type { Box, Gesture, Hit, Point } from "../contract.ts";
import { grown, unionOf } from "../scene/geometry.ts";
import { isOfCard } from "../scene/hit.ts";
import { snap } from "../scene/snapping.ts";
import type { OpenView } from "../view.ts";
import { type Choosing, selectionAt } from "./choosing.ts";

/** The distance in screen pixels at which a card snaps to a guide, and the grid of the cards in world units. */
const snapReach = 6;
const grid = 8;

/**
 * Pans with a drag on the background or on an object that cannot be dragged. With `isForced`, used for the space bar
 * and the middle button, a drag on any object pans.
 */
export function panGesture(view: OpenView, { isForced = false } = {}): Gesture {
  let last: Point | undefined;
  const isMeant = (hit: Hit, event: PointerEvent): boolean => {
    // In a read-only flow, the gesture also begins on objects, so that a press without movement can select them.
    if (isForced || event.button !== 0 || view.source.editor.readOnly.value !== undefined) return true;
    if (event.pointerType === "touch") return !(isOfCard(hit) && view.selection.cards.value.has(hit.id));
    // A press on an edge selects the edge; a drag on an edge moves the view.
    return (hit.kind === "ground" || hit.kind === "edge") && !event.shiftKey;
  };
  return {
    begins(hit, event) {
      last = isMeant(hit, event) ? { x: event.clientX, y: event.clientY } : undefined;
      return last !== undefined;
    },
    move(_, event) {
      const now = { x: event.clientX, y: event.clientY };
      if (last) view.camera.panBy({ x: last.x - now.x, y: last.y - now.y });
      last = now;
    },
    end() {},
    cancel() {},
  };
}

/** Draws a selection box on the background with Shift. Cards that the box touches are added to the selection. */
export function boxGesture(view: OpenView, choosing: Choosing): Gesture {
  let start: Point = { x: 0, y: 0 };
  let before: readonly Selectable[] = [];
  return {
    begins(hit, event, world) {
      if (hit.kind !== "ground" || !event.shiftKey) return false;
      start = world;
      // Rows and cards cannot be selected together.
      before = thingsOf(view.selection.now.value).filter((one) => !isInCard(one));
      return true;
    },
    move(world) {
      const box = unionOf([start, world].map((point) => ({ ...point, width: 0, height: 0 })));
      view.marquee.value = box;
      const met = box ? view.scene.value.cardsIn(box) : [];
      const ids = new Set(before.map(({ id }) => id));
      choosing.selectAll([...before, ...view.thingsOf(met.flatMap(({ id }) => (ids.has(id) ? [] : [id])))]);
    },
    end() {
      view.marquee.value = undefined;
    },
    cancel() {
      if (view.marquee.value) choosing.selectAll(before);
      view.marquee.value = undefined;
    },
  };
}

/** Draws a selection box from a row with Shift. Every block whose row the box touches is added to the selection. */
export function rowBoxGesture(view: OpenView, choosing: Choosing): Gesture {
  let start: Point = { x: 0, y: 0 };
  let before: readonly string[] = [];
  const blocksIn = (box: Box): readonly string[] =>
    view.scene.value
      .cardsIn(box)
      .flatMap(({ box: { y }, rows }) =>
        rows.flatMap((row) => (y + row.y < box.y + box.height && y + row.y + row.height > box.y ? [row.blockId] : [])),
      );
  return {
    begins(hit, event, world) {
      if ((hit.kind !== "row" && hit.kind !== "item") || !event.shiftKey || event.button !== 0) return false;
      start = world;
      before = choosing.blocks();
      return true;
    },
    move(world) {
      const box = unionOf([start, world].map((point) => ({ ...point, width: 0, height: 0 })));
      view.marquee.value = box && { ...box, isOfRows: true };
    },
    end() {
      const box = view.marquee.value;
      view.marquee.value = undefined;
      if (box) choosing.selectBlocks([...new Set([...before, ...blocksIn(box)])]);
    },
    cancel() {
      view.marquee.value = undefined;
    },
  };
}

type Drag = {
  readonly start: Point;
  readonly cardId: string;
  ids?: ReadonlySet<string>;
  box?: Box | undefined;
  others?: readonly Box[];
};

/**
 * Drags a card, or the whole selection if the card belongs to it. The move is one undo step, which is made when the
 * pointer is released.
 */
export function dragGesture(view: OpenView, choosing: Choosing): Gesture {
  let drag: Drag | undefined;

  const begin = (now: Drag): ReadonlySet<string> => {
    if (!view.selection.cards.value.has(now.cardId)) choosing.choose(now.cardId);
    const ids = view.selection.cards.value;
    const scene = view.scene.value;
    const boxOf = (id: string): Box[] => {
      const card = scene.cards.get(id);
      return card ? [card.box] : [];
    };
    now.ids = ids;
    now.box = unionOf([...ids].flatMap(boxOf));
    const around = grown(view.camera.boxNow(), 200);
    now.others = scene.cardsIn(around).flatMap(({ id, box }) => (ids.has(id) ? [] : [box]));
    return ids;
  };
  const stop = (): void => {
    view.lines.value = [];
    drag = undefined;
  };
  return {
    begins(hit, _, world) {
      if (!isOfCard(hit) || view.source.editor.readOnly.value !== undefined) return false;
      drag = { start: world, cardId: hit.id };
      return true;
    },
    move(world, event) {
      if (!drag) return;
      const ids = drag.ids ?? begin(drag);
      const free = { x: world.x - drag.start.x, y: world.y - drag.start.y };
      const by = event.shiftKey ? straight(free) : free;
      const isFree = event.altKey || !drag.box;
      const snapped =
        drag.box && !isFree
          ? snap(drag.box, by, { others: drag.others ?? [], reach: snapReach / view.camera.zoom, grid })
          : { by: { x: Math.round(by.x), y: Math.round(by.y) }, lines: [] };
      batch(() => {
        view.shift.value = { ids, by: snapped.by };
        view.lines.value = snapped.lines;
      });
    },
    end() {
      const moved = view.shift.value;
      batch(() => {
        if (moved && (moved.by.x !== 0 || moved.by.y !== 0)) {
          const { cards } = view.scene.value;
          const things = [...moved.ids].flatMap((id) => cards.get(id) ?? []).map(({ kind, id }) => ({ kind, id }));
          const done = view.source.editor.run(moveThings, { things, by: moved.by });
          announce(done.kind === "done" ? done.title : done.sentence, done.kind === "done" ? "polite" : "assertive");
        }
        view.shift.value = undefined;
        stop();
      });
    },
    cancel() {
      batch(() => {
        view.shift.value = undefined;
        stop();
      });
    },
  };
}

/**
 * Selects the pressed object. With Shift, Ctrl or ⌘, a card or a row is added to the selection or removed from it. A
 * press on the background without these keys clears the selection.
 */
export function tapAt(view: OpenView, choosing: Choosing, hit: Hit, event: PointerEvent): void {
  const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
  if (hit.kind === "ground") {
    if (!isMore) choosing.clear();
    return;
  }
  if (hit.kind === "edge") {
    choosing.selectEdge(hit.id);
    return;
  }
  if (!isOfCard(hit)) return;
  if (isMore && "blockId" in hit && hit.blockId !== undefined && choosing.areRowsMeant())
    choosing.toggleBlock(hit.blockId);
  else if (isMore) choosing.toggle(hit.id);
  else choosing.select(selectionAt(view, hit), { isOpening: true });
}

/** Restricts a movement to its larger component, horizontal or vertical. */
function straight({ x, y }: Point): Point {
  return Math.abs(x) >= Math.abs(y) ? { x, y: 0 } : { x: 0, y };
}
