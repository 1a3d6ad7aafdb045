import { batch } from "@preact/signals";
import type { FlowThing } from "../../editor/commands/command.ts";
import { blockIdOf, isInCard, type Selectable, type SelectionAct, thingsOf } from "../../editor/selection.ts";
import { announce } from "../../ui/index.ts";
import outlineWords from "../../words/en/outline.json";
import { currentWords } from "../../words/language.ts";
import type { Hit } from "../contract.ts";
import { isOfCard } from "../scene/hit.ts";
import type { OpenView } from "../view.ts";

/** The functions that change the selection from the canvas and detect changes by other parts of the screen. */
export type Choosing = ReturnType<typeof createChoosing>;

export function createChoosing(view: OpenView, onOpen: (options: { readonly hasFocus: boolean }) => void) {
  const { selection } = view;
  // The last selection that was made on this canvas. It is already in view, so the camera does not move to it.
  let own: FlowThing | undefined;

  const act = (next: SelectionAct): void =>
    batch(() => {
      selection.act(next);
      own = selection.focus.value;
    });
  const select = (thing: Selectable | undefined, { isOpening = false } = {}): void => {
    act({ kind: "select", thing });
    if (thing && isOpening) onOpen({ hasFocus: false });
  };
  const actOnBlocks = (next: SelectionAct): void => {
    act(next);
    announce(currentWords(outlineWords).outline.chosenBlocks({ count: thingsOf(selection.now.value).length }));
  };

  return {
    select,
    selectEdge: (id: string) => act({ kind: "selectEdge", id }),
    choose: (cardId: string) => select(view.thingsOf([cardId])[0]),
    toggle(cardId: string): void {
      for (const thing of view.thingsOf([cardId])) act({ kind: "toggle", thing });
    },
    /** The focused object keeps the focus if it is part of the new selection. */
    selectAll: (things: readonly Selectable[]) => act({ kind: "selectAll", things, keepsFocus: true }),
    /** Returns the selected blocks, and the blocks whose items are selected. */
    blocks: (): readonly string[] =>
      thingsOf(selection.now.value).flatMap((thing) => (isInCard(thing) ? (blockIdOf(thing) ?? []) : [])),
    selectBlocks: (ids: readonly string[]) =>
      actOnBlocks({ kind: "selectAll", things: ids.map((id) => ({ kind: "block", id })) }),
    toggleBlock: (id: string) => actOnBlocks({ kind: "toggle", thing: { kind: "block", id } }),
    /** Extends the selection to an adjacent object, or shrinks it if the selection moves back. */
    extendTo(thing: FlowThing): void {
      if (isInCard(thing)) actOnBlocks({ kind: "extend", thing });
      else act({ kind: "extend", thing });
    },
    /**
     * Whether a press together with Shift or Ctrl adds rows to the selection, which is the case if no card is selected.
     */
    areRowsMeant: () => selection.cards.value.size === 0,
    clear: () => select(undefined),
    /**
     * Returns the focused object if it was selected elsewhere and may therefore be out of view. Otherwise, and if
     * several objects are selected, returns undefined.
     */
    follow(): FlowThing | undefined {
      const now = selection.focus.value;
      if (now === own) return undefined;
      own = now;
      // The camera follows the focus of a single selection only. In a selection of several objects, the focused object
      // has not moved.
      return selection.now.peek().kind === "one" ? now : undefined;
    },
  };
}

/** Returns the selection for a press on a part of a card; undefined for a press elsewhere. */
export function selectionAt(view: OpenView, hit: Hit): FlowThing | undefined {
  if (!isOfCard(hit)) return undefined;
  const blockId = "blockId" in hit ? hit.blockId : undefined;
  const itemId = "itemId" in hit ? hit.itemId : undefined;
  const part = hit.kind === "item" ? (hit.pathId ?? hit.row) : undefined;
  const ofPart = part !== undefined && { part };
  if (blockId !== undefined && itemId !== undefined) return { kind: "item", id: itemId, blockId, ...ofPart };
  if (blockId !== undefined) return { kind: "block", id: blockId, ...ofPart };
  const card = view.scene.value.cards.get(hit.id);
  return card && { kind: card.kind, id: card.id };
}
