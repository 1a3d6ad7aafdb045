import type { Box } from "../contract.ts";
import { unionOf } from "../scene/geometry.ts";
import { areasIn, cardOf, type OpenView } from "../view.ts";

/** What is chosen: cards, notes and frames, or else the card that has the focus, or whose row has it. */
export function chosenBoxes(view: OpenView): readonly Box[] {
  const { cards } = view.scene.peek();
  const { selection, store } = view.source.editor;
  const beside = areasIn(view.overlays.peek()).filter(({ isChosen }) => isChosen);
  const chosen = [...view.chosen.peek()];
  const focused = cardOf(selection.peek(), store);
  const ids = chosen.length + beside.length === 0 && focused !== undefined ? [focused] : chosen;
  return [...ids.flatMap((id) => cards.get(id)?.box ?? []), ...beside];
}

/** Shows what is chosen; everything, where nothing is. */
export function fitChosen(view: OpenView): void {
  const box = unionOf(chosenBoxes(view));
  if (box) view.camera.fitBox(box);
  else view.camera.fit();
}
