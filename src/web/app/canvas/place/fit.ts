import type { Box } from "../contract.ts";
import { unionOf } from "../scene/geometry.ts";
import { areasIn, cardOf, type OpenView } from "../view.ts";

/** The selection: cards, notes and frames, or else the focused card, or the card of the focused row. */
export function chosenBoxes(view: OpenView): readonly Box[] {
  const { cards } = view.scene.value;
  const beside = areasIn(view.overlays.value).filter(({ isChosen }) => isChosen);
  const chosen = [...view.selection.cards.value];
  const focused = cardOf(view.selection.focus.value, view.source.editor.store);
  const ids = chosen.length + beside.length === 0 && focused !== undefined ? [focused] : chosen;
  return [...ids.flatMap((id) => cards.get(id)?.box ?? []), ...beside];
}

/** Shows the selection; everything, if there is none. */
export function fitChosen(view: OpenView): void {
  const box = unionOf(chosenBoxes(view));
  if (box) view.camera.fitBox(box);
  else view.camera.fit();
}
