import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Card, CardRow, View } from "../../canvas/contract.ts";
import type { Making } from "../making.ts";

/** A row of a card, or, without one, its title. */
export type Place = { readonly card: Card; readonly row: CardRow | undefined };

/** The element that shows the whole of a row. */
export const wholeId = "on-card-whole";
/** Who comes by with keys or with the pointer does not mean each row on the way. */
const restMs = 350;
/** A pointer that goes over to the text, to read on or to mark it, may leave the row. */
const leaveMs = 250;

/**
 * The row that somebody rests on: under the pointer, or the one that is selected. It stays while the pointer is on its way to what is shown of it, and as
 * long as it is there (`isOver`); Escape lets it go until another row is meant.
 */
export function useRested(making: Making, isOver: boolean): Place | undefined {
  const { place, isClosed } = useMeant(making);
  const [kept, setKept] = useState<Place>();
  useEffect(() => {
    if (isClosed) setKept(undefined);
    else if (place && !isOver) setKept(place);
    if (isClosed || place || isOver) return undefined;
    const timer = setTimeout(() => setKept(undefined), leaveMs);
    return () => clearTimeout(timer);
  }, [place?.card, place?.row, isOver, isClosed]);
  if (isClosed) return undefined;
  return isOver ? kept : (place ?? kept);
}

type Meant = { readonly place: Place | undefined; readonly isClosed: boolean };

function useMeant({ view, state }: Making): Meant {
  const [hovered, setHovered] = useState<string>();
  const [rested, setRested] = useState<string>();
  const [isClosed, setClosed] = useState(false);
  const selected = useComputed(() => {
    const now = view.source.editor.selection.value;
    if (now?.kind === "group") return titleOf(now.id);
    if (now?.part !== undefined) return undefined;
    return now?.kind === "block" ? now.id : now?.kind === "item" ? `${now.blockId} ${now.id}` : undefined;
  }).value;
  const isBusy = useComputed(
    () => (view.shift.value ?? state.dragging.value ?? state.connecting.value ?? state.menu.value) !== undefined,
  ).value;
  const wanted = isBusy ? undefined : (hovered ?? selected);
  useEffect(() => {
    const timer = setTimeout(() => setRested(wanted), wanted === undefined ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  useEffect(() => {
    const root = view.element.peek();
    if (!root) return undefined;
    const onMove = (event: PointerEvent): void => {
      if (event.pointerType === "touch") return;
      const hit = event.buttons === 0 ? view.hitAt(view.toWorld({ x: event.clientX, y: event.clientY })) : undefined;
      const isRow = hit?.kind === "row" || hit?.kind === "item";
      setHovered(isRow ? keyOf(hit) : hit?.kind === "title" ? titleOf(hit.id) : undefined);
    };
    const onAway = (): void => setHovered(undefined);
    root.addEventListener("pointermove", onMove);
    root.addEventListener("pointerdown", onAway);
    root.addEventListener("pointerleave", onAway);
    return () => {
      root.removeEventListener("pointermove", onMove);
      root.removeEventListener("pointerdown", onAway);
      root.removeEventListener("pointerleave", onAway);
    };
  }, [view.element.value]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !document.getElementById(wholeId)) return;
      event.stopPropagation();
      event.preventDefault();
      setClosed(true);
    };
    addEventListener("keydown", onKeyDown, true);
    return () => removeEventListener("keydown", onKeyDown, true);
  }, []);
  useEffect(() => {
    if (wanted !== undefined) setClosed(false);
  }, [wanted]);
  const isMeant = rested !== undefined && rested === wanted && !view.isFar.value;
  return { place: isMeant ? placeOf(view, rested) : undefined, isClosed };
}

function keyOf({ blockId, itemId }: { readonly blockId: string; readonly itemId?: string }): string {
  return itemId === undefined ? blockId : `${blockId} ${itemId}`;
}

const ofTitle = "title ";

function titleOf(cardId: string): string {
  return `${ofTitle}${cardId}`;
}

function placeOf(view: View, key: string): Place | undefined {
  if (key.startsWith(ofTitle)) {
    const titled = view.scene.value.cards.get(key.slice(ofTitle.length));
    return titled && { card: titled, row: undefined };
  }
  const [blockId = "", itemId] = key.split(" ");
  const card = view.scene.value.rowOf(blockId)?.card;
  const row = card?.rows.find(
    (one) => one.blockId === blockId && one.itemId === itemId && one.kind === (itemId === undefined ? "block" : "item"),
  );
  return card && row && { card, row };
}
