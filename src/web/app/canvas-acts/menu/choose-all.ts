import { batch } from "@preact/signals";
import { announce } from "../../ui/index.ts";
import { canvasActWords } from "../../words/flow-canvas-acts.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";

/** Chooses all that lies on the canvas: cards, notes and frames. The card that has the focus keeps it. */
export function chooseAll({ chosen }: Acts, { bot: { editor }, view, state }: ActContext): void {
  const boxes = chosen.allBoxes();
  const [focused] = chosen.cardOfSelection();
  const card = view.scene.peek().cards.get(focused ?? "");
  batch(() => {
    view.chosenEdge.value = undefined;
    editor.chosenBlocks.value = [];
    view.chosen.value = new Set(view.scene.peek().cards.keys());
    editor.selection.value = card && { kind: card.kind, id: card.id };
  });
  // A selection of cards clears that of the things beside them, so these are selected after the cards.
  state.beside.value = boxes.flatMap(({ kind, id }) => (kind === "note" || kind === "frame" ? [{ kind, id }] : []));
  announce(canvasActWords.peek().chosen.after(boxes.length));
}
