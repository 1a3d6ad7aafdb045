import { batch } from "@preact/signals";
import type { Selection } from "../../editor/commands/command.ts";
import { announce } from "../../ui/index.ts";
import { outlineWords } from "../../words/flow-outline.ts";
import type { Hit } from "../contract.ts";
import { isOfCard } from "../scene/hit.ts";
import type { OpenView } from "../view.ts";

/** The selection of the canvas, and how it follows the selection of the editor, which panels, the outline and others show. */
export type Choosing = ReturnType<typeof createChoosing>;

export function createChoosing(view: OpenView, onOpen: (options: { readonly hasFocus: boolean }) => void) {
  const { selection, chosenBlocks } = view.source.editor;
  // What this canvas has selected itself: it is in view already, and is not brought there.
  let own: Selection | undefined;

  /** Cards, blocks and lines are not chosen together. */
  const unchoose = (): void => {
    view.chosenEdge.value = undefined;
    if (chosenBlocks.peek().length > 0) chosenBlocks.value = [];
  };
  const select = (next: Selection | undefined, { isOpening = false } = {}): void => {
    batch(() => {
      own = next;
      selection.value = next;
      unchoose();
      view.chosen.value = new Set(next && isCard(next) ? [next.id] : []);
    });
    if (next && isOpening) onOpen({ hasFocus: false });
  };
  const cardSelection = (id: string): Selection | undefined => {
    const card = view.scene.peek().cards.get(id);
    return card && { kind: card.kind, id };
  };
  /** The one among the chosen that has the focus: the one that had it, or the last. */
  const settle = (): void => {
    const chosen = view.chosen.peek();
    const now = selection.peek();
    if (now && chosen.has(now.id)) return;
    const last = [...chosen].at(-1);
    own = last === undefined ? undefined : cardSelection(last);
    selection.value = own;
  };

  /** The blocks that are chosen, the one with the focus among them. */
  const blocksNow = (): readonly string[] => {
    if (chosenBlocks.peek().length > 0) return chosenBlocks.peek();
    const now = selection.peek();
    const id = now?.kind === "item" ? now.blockId : now?.kind === "block" ? now.id : undefined;
    return id === undefined ? [] : [id];
  };
  /** The last of them has the focus. */
  const setBlocks = (ids: readonly string[]): void => {
    const last = ids.at(-1);
    batch(() => {
      own = last === undefined ? undefined : { kind: "block", id: last };
      selection.value = own;
      view.chosenEdge.value = undefined;
      view.chosen.value = new Set();
      chosenBlocks.value = ids.length > 1 ? ids : [];
    });
    announce(outlineWords.peek().outline.chosenBlocks(ids.length));
  };

  return {
    select,
    settle,
    choose: (id: string) => select(cardSelection(id)),
    toggle(id: string): void {
      batch(() => {
        const next = new Set(view.chosen.peek());
        const now = selection.peek();
        // A block that is selected gives way to its card.
        if (!next.delete(id)) next.add(id);
        view.chosen.value = next;
        unchoose();
        own = next.has(id) ? cardSelection(id) : now && next.has(now.id) ? now : undefined;
        selection.value = own;
        settle();
      });
    },
    set(ids: Iterable<string>): void {
      batch(() => {
        view.chosen.value = new Set(ids);
        unchoose();
        settle();
      });
    },
    blocks: blocksNow,
    setBlocks,
    /** Whether a press beside the selection means a row: a row has the focus, or nothing has. */
    areRowsMeant: () => view.chosen.peek().size === 0 && selection.peek()?.kind !== "event",
    toggleBlock(id: string): void {
      const now = blocksNow();
      setBlocks(now.includes(id) ? now.filter((one) => one !== id) : [...now, id]);
    },
    /** One more block by a step, or, going back, one less. */
    extendTo(id: string): void {
      const [now, from] = [blocksNow(), selection.peek()?.id];
      setBlocks(now.includes(id) ? [...now.filter((one) => one !== from && one !== id), id] : [...now, id]);
    },
    clear: () => select(undefined),
    /** Selects here what was selected elsewhere. Returns it where it may be out of view. */
    follow(): Selection | undefined {
      const now = selection.value;
      if (now === own) return undefined;
      own = now;
      const chosen = view.chosen.peek();
      if (now?.kind !== "block" || !chosenBlocks.peek().includes(now.id)) unchoose();
      const isKnown = now !== undefined && isCard(now) && chosen.has(now.id);
      if (!isKnown) view.chosen.value = new Set(now && isCard(now) ? [now.id] : []);
      return now;
    },
  };
}

/** The selection that a press on a part of a card makes. */
export function selectionAt(view: OpenView, hit: Hit): Selection | undefined {
  if (!isOfCard(hit)) return undefined;
  const blockId = "blockId" in hit ? hit.blockId : undefined;
  const itemId = "itemId" in hit ? hit.itemId : undefined;
  const part = hit.kind === "item" ? (hit.pathId ?? hit.row) : undefined;
  const ofPart = part !== undefined && { part };
  if (blockId !== undefined && itemId !== undefined) return { kind: "item", id: itemId, blockId, ...ofPart };
  if (blockId !== undefined) return { kind: "block", id: blockId, ...ofPart };
  const card = view.scene.peek().cards.get(hit.id);
  return card && { kind: card.kind, id: card.id };
}

function isCard({ kind }: Selection): boolean {
  return kind === "group" || kind === "event";
}
