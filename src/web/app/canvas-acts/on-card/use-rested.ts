import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Card, CardRow, View } from "../../canvas/contract.ts";
import type { ActContext } from "../act-context.ts";
import type { Met } from "./met.ts";

/** A row of a card, or the card's title if the row is undefined. */
export type Place = { readonly card: Card; readonly row: CardRow | undefined };

/** The id of the element that shows the full text. */
export const wholeId = "on-card-whole";
/** How long the pointer must rest on a row, so that a passing pointer does not open its text. */
const restMs = 600;

/**
 * Returns the row or title whose full text is shown, because the pointer rests on it. The text stays visible while the
 * pointer is on the row or on the text.
 *
 *     hidden ─ the pointer has rested on a row for 600 ms ─→ shown
 *     shown ─ the pointer leaves the row and the text ─→ hidden
 *     shown ─ a key, a press, or the wheel outside the text ─→ hidden, until the pointer has left the row
 *     shown ─ the row is selected, an object is dragged, or a menu is opened ─→ hidden
 */
export function useRested({ view, state }: ActContext, met: Met): Place | undefined {
  const [hovered, setHovered] = useState<string>();
  const [rested, setRested] = useState<string>();
  const selected = useComputed((): string | undefined => {
    const now = view.selection.focus.value;
    if (now?.kind === "group") return titleOf(now.id);
    return now?.kind === "block" ? now.id : now?.kind === "item" ? `${now.blockId} ${now.id}` : undefined;
  }).value;
  const isBusy = useComputed(
    () => (view.shift.value ?? state.dragging.value ?? state.connecting.value ?? state.menu.value) !== undefined,
  ).value;
  // The full text of the selected row is not shown, because the form already shows it.
  const wanted = isBusy || hovered === selected ? undefined : hovered;
  useEffect(() => {
    setRested(undefined);
    const timer = wanted === undefined ? undefined : setTimeout(() => setRested(wanted), restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  useEffect(() => setHovered(undefined), [selected]);
  useEffect(() => {
    const canvas = view.element.value;
    // The listener is on the parent, because elements over the canvas, such as this text, are siblings of the canvas.
    const root = canvas?.parentElement;
    if (!canvas || !root) return undefined;
    // A dismissed text does not open again until the pointer has left its row.
    let passed: string | undefined;
    const onMove = (event: PointerEvent): void => {
      if (event.pointerType === "touch" || isInText(event.target)) return;
      const isOnCanvas = event.buttons === 0 && event.target instanceof Node && canvas.contains(event.target);
      const hit = isOnCanvas ? view.hitAt(view.toWorld({ x: event.clientX, y: event.clientY })) : undefined;
      const isRow = hit?.kind === "row" || hit?.kind === "item";
      const met = isRow ? keyOf(hit) : hit?.kind === "title" ? titleOf(hit.id) : undefined;
      if (met !== passed) passed = undefined;
      setHovered(met === passed ? undefined : met);
    };
    const onAway = (): void => setHovered(undefined);
    const letGo = (event: Event): void => {
      if (event instanceof WheelEvent && isInText(event.target)) return;
      setHovered((now) => {
        passed = now;
        return undefined;
      });
    };
    const listening = new AbortController();
    const { signal } = listening;
    root.addEventListener("pointermove", onMove, { signal });
    root.addEventListener("pointerleave", onAway, { signal });
    root.addEventListener("pointerdown", letGo, { signal });
    root.addEventListener("wheel", letGo, { signal, passive: true });
    addEventListener("keydown", letGo, { signal, capture: true });
    if (met.pointer) onMove(met.pointer);
    return () => listening.abort();
  }, [view.element.value]);
  return rested !== undefined && rested === wanted && !view.isFar.value ? placeOf(view, rested) : undefined;
}

function isInText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`#${wholeId}`) !== null;
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
