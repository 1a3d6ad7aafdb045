import { isJsonObject, textAt } from "../../../../core/interpreter/flow.ts";
import type { Gesture, Hit, Point, View } from "../../canvas/contract.ts";
import { isOfCard } from "../../canvas/scene/hit.ts";
import type { Box, Thing } from "../../editor/commands/arrange.ts";
import { isGroupLocked } from "../../editor/commands/locks.ts";
import { moveThings } from "../../editor/commands/places.ts";
import { leastFrame, leastNote, resize } from "../../editor/commands/surroundings.ts";
import { type Beside, isSameThing } from "../../editor/selection.ts";
import outlineWords from "../../words/en/outline.json";
import { currentWords } from "../../words/language.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import type { ActState } from "../state.ts";
import { dropAt, dropBlocks } from "./drop.ts";

/**
 * Creates the gesture that drags blocks by their rows: within a group, to another group, into an edge, or onto the
 * background. A finger moves the view instead.
 */
export function createRowDrag(acts: Acts, { view, state, types }: ActContext): Gesture {
  let row: { readonly blockIds: readonly string[]; readonly label: string; readonly icon: string } | undefined;
  const stop = (): void => {
    row = undefined;
    state.dragging.value = undefined;
  };
  return {
    begins(hit, event) {
      if (hit.kind !== "row" || event.button !== 0 || event.pointerType === "touch" || event.shiftKey) return false;
      const { editor } = view.source;
      if (editor.readOnly.value !== undefined || isGroupLocked(acts.draft(), hit.id)) return false;
      const cards = view.selection.cards.value;
      if (cards.size > 1 && cards.has(hit.id)) return false;
      const block = editor.store.find.block(hit.blockId)?.block;
      const type = types()?.get((isJsonObject(block) && textAt(block, "type")) || "");
      const several = acts.chosen.blockIds();
      const isOneOf = several.length > 1 && several.includes(hit.blockId);
      const label = isOneOf ? currentWords(outlineWords).outline.blocks({ count: several.length }) : type?.editor.name;
      const blockIds = isOneOf ? several : [hit.blockId];
      row = { blockIds, label: label ?? "", icon: type?.editor.icon ?? "square-dashed" };
      return true;
    },
    move(at) {
      if (row) state.dragging.value = { label: row.label, icon: row.icon, at, drop: dropAt(view, at) };
    },
    end(at) {
      const dragged = row;
      stop();
      if (dragged) dropBlocks(acts, view, dragged.blockIds, dropAt(view, at));
    },
    cancel: stop,
  };
}

/** Creates the gesture that selects, drags and resizes notes and frames. Everything in a frame moves with the frame. */
export function createBesideDrag(acts: Acts, view: View, state: ActState): Gesture {
  type Drag =
    | {
        readonly kind: "move";
        readonly things: readonly Thing[];
        readonly ids: ReadonlySet<string>;
        readonly from: Point;
      }
    | { readonly kind: "size"; readonly of: Beside; readonly box: Box; readonly from: Point };
  let drag: Drag | undefined;
  const stop = (): void => {
    drag = undefined;
    state.shift.value = undefined;
    state.sizing.value = undefined;
    if (view.shift.value) view.shift.value = undefined;
  };
  const { beside, cards } = view.selection;
  const isChosen = (of: Beside): boolean => beside.value.some((one) => isSameThing(one, of));
  return {
    begins(hit, event, world) {
      if (event.button !== 0) return false;
      const of = besideOf(hit);
      const isMixed = isOfCard(hit) && cards.value.has(hit.id) && beside.value.length > 0;
      if (!of && !isMixed) return false;
      // A finger moves the view unless the note or frame is already selected.
      if (of && !isChosen(of) && event.pointerType === "touch") return false;
      if (of && !isChosen(of)) choose(view, of, event.shiftKey);
      if (view.source.editor.readOnly.value !== undefined) return of !== undefined;
      const boxes = acts.chosen.boxes();
      const box = of && boxes.find((one) => one.kind === of.kind && one.id === of.id);
      const things = acts.chosen.moving(boxes);
      drag =
        of && box && hit.kind !== "ground" && "part" in hit && hit.part === "size"
          ? { kind: "size", of, box, from: world }
          : { kind: "move", things, ids: new Set(things.map(({ id }) => id)), from: world };
      return true;
    },
    move(world) {
      if (!drag) return;
      const by = { x: Math.round(world.x - drag.from.x), y: Math.round(world.y - drag.from.y) };
      if (drag.kind === "size") state.sizing.value = { id: drag.of.id, box: sized(drag.box, by) };
      else {
        const { ids } = drag;
        state.shift.value = { ids, by };
        view.shift.value = { ids, by };
      }
    },
    end(world) {
      const made = drag;
      stop();
      if (!made) return;
      const by = { x: Math.round(world.x - made.from.x), y: Math.round(world.y - made.from.y) };
      if (made.kind === "size") acts.run(resize, { ...made.of, box: sized(made.box, by) });
      else acts.run(moveThings, { things: made.things, by });
    },
    cancel: stop,
    tap(hit, event) {
      const of = besideOf(hit);
      if (of && !isChosen(of)) choose(view, of, event.shiftKey);
      return of !== undefined;
    },
  };
}

/** Selects a note or a frame. With `isMore`, the note or frame is added to the selection. */
export function choose({ selection }: View, thing: Beside, isMore: boolean): void {
  selection.act({ kind: isMore ? "extend" : "select", thing });
}

function besideOf(hit: Hit): Beside | undefined {
  return hit.kind === "note" || hit.kind === "frame" ? { kind: hit.kind, id: hit.id } : undefined;
}

function sized(box: Box, by: Point): Box {
  const least = box.kind === "note" ? leastNote : leastFrame;
  return {
    ...box,
    width: Math.max(least.width, box.width + by.x),
    height: Math.max(least.height, box.height + by.y),
  };
}
