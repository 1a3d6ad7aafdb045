import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Card, CardRow, View } from "../../canvas/contract.ts";
import type { ActContext } from "../act-context.ts";
import type { Met } from "./met.ts";

/** A row of a card, or, without one, its title. */
export type Place = { readonly card: Card; readonly row: CardRow | undefined };

/** The element that shows the full text of a row. */
export const wholeId = "on-card-whole";
/** A pointer that only passes over a row does not open its text. */
const restMs = 600;

/**
 * The row, or the title, under the resting pointer. It is kept while the pointer is on it or on its full text.
 *
 *     nothing ─ the pointer has rested on a row for 600 ms ─→ shown
 *     shown ─ the pointer leaves row and text, a key, a wheel beside the text, a press, something is selected, dragged or opened ─→ nothing
 *
 * After a key, a press or a wheel it is shown again only once the pointer has been elsewhere.
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
  // The full text of the selection is in its form.
  const wanted = isBusy || hovered === selected ? undefined : hovered;
  useEffect(() => {
    setRested(undefined);
    const timer = wanted === undefined ? undefined : setTimeout(() => setRested(wanted), restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  useEffect(() => setHovered(undefined), [selected]);
  useEffect(() => {
    const canvas = view.element.value;
    // Elements over the canvas, such as this text, are its siblings in this parent.
    const root = canvas?.parentElement;
    if (!canvas || !root) return undefined;
    // A row that was dismissed stays dismissed until the pointer has been elsewhere.
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
