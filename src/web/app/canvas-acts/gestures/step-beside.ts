import type { Box, View } from "../../canvas/contract.ts";
import { sizes } from "../../canvas/scene/geometry.ts";
import { type Direction, directions, nextCard } from "../../canvas/scene/hit.ts";
import type { Thing } from "../../editor/commands/arrange.ts";
import { isBeside } from "../../editor/selection.ts";
import type { Acts } from "../acts.ts";
import { choose } from "./gestures.ts";

/**
 * The size of a frame's title, to which the arrow keys move. For steps up and down, the target is as wide as the whole
 * frame.
 */
const title = { width: 160, height: sizes.frameTitle } as const;

type Placed = Thing & { readonly box: Box };

/**
 * Moves the focus with an arrow key from a card to a note or a frame, between notes and frames, and back to a card. The
 * canvas itself handles steps between cards. Returns whether the key was handled.
 */
export function stepBeside(acts: Acts, view: View, event: KeyboardEvent): boolean {
  const direction = directions[event.key];
  if (!direction || event.altKey || event.ctrlKey || event.metaKey) return false;
  const from = whereFrom(acts, view, direction);
  if (!from) return false;
  const wasBeside = isBeside(from);
  const next = nextCard(placedFor(acts, from, direction), from, direction);
  if (!next) return wasBeside;
  if (isBeside(next)) {
    choose(view, { kind: next.kind, id: next.id }, event.shiftKey && wasBeside);
    view.camera.reveal(boxOf(acts, next) ?? next.box);
    return true;
  }
  if (!wasBeside) return false;
  const { kind, id } = next;
  view.selection.select({ kind: kind === "event" ? "event" : "group", id });
  view.camera.reveal(id);
  return true;
}

/**
 * Returns the part of a note or a frame that must be visible: the upper left part of a note, or the title of a frame.
 * Undefined if the object does not exist.
 */
export function boxOf(acts: Acts, { kind, id }: Thing): Box | undefined {
  const found = acts.chosen.allBoxes().find((one) => one.kind === kind && one.id === id);
  if (!found) return undefined;
  const { x, y, width, height } = found;
  return { x, y, width: Math.min(width, 320), height: kind === "frame" ? title.height : Math.min(height, 320) };
}

function whereFrom(acts: Acts, view: View, direction: Direction): Placed | undefined {
  const beside = view.selection.beside.value.at(-1);
  if (!beside && acts.chosen.focused()) return undefined;
  const [cardId] = beside ? [] : acts.chosen.cardOfSelection();
  const found = acts.chosen
    .allBoxes()
    .find((one) => (beside ? one.kind === beside.kind && one.id === beside.id : one.id === cardId));
  return found && placed(found, direction);
}

/**
 * Returns the objects that an arrow key can reach. A frame is included only if its title lies ahead; otherwise every
 * step within a frame would end at the frame.
 */
function placedFor(acts: Acts, from: Placed, direction: Direction): readonly Placed[] {
  return acts.chosen
    .allBoxes()
    .map((one) => placed(one, direction))
    .filter((one) => one.kind !== "frame" || isAhead(one.box, from.box, direction));
}

function placed({ kind, id, ...box }: Thing & Box, direction: Direction): Placed {
  if (kind !== "frame") return { kind, id, box };
  const isAcross = direction === "left" || direction === "right";
  const width = isAcross ? Math.min(title.width, box.width) : box.width;
  return { kind, id, box: { x: box.x, y: box.y, width, height: title.height } };
}

function isAhead(box: Box, from: Box, direction: Direction): boolean {
  switch (direction) {
    case "left":
      return box.x + box.width <= from.x;
    case "right":
      return box.x >= from.x + from.width;
    case "up":
      return box.y + box.height <= from.y;
    case "down":
      return box.y >= from.y + from.height;
    default:
      return direction satisfies never;
  }
}
