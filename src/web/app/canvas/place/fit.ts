import type { Box } from "../contract.ts";
import { unionOf } from "../scene/geometry.ts";
import { areasIn, cardOf, type OpenView } from "../view.ts";

/**
 * Returns the boxes of the selected cards, notes and frames. If none is selected, returns the box of the focused card
 * or of the focused row's card.
 */
export function chosenBoxes(view: OpenView): readonly Box[] {
  const { cards } = view.scene.value;
  const beside = areasIn(view.overlays.value).filter(({ isChosen }) => isChosen);
  const chosen = [...view.selection.cards.value];
  const focused = cardOf(view.selection.focus.value, view.source.editor.store);
  const ids = chosen.length + beside.length === 0 && focused !== undefined ? [focused] : chosen;
  return [...ids.flatMap((id) => cards.get(id)?.box ?? []), ...beside];
}

/** Shows the selection, or the whole flow if nothing is selected. */
export function fitChosen(view: OpenView): void {
  const box = unionOf(chosenBoxes(view));
  if (box) view.camera.fitBox(box);
  else view.camera.fit();
}
