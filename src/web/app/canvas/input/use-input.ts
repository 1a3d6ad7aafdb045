import { useEffect, useMemo, useRef } from "preact/hooks";
import { blockIdOf } from "../../editor/selection.ts";
import type { CanvasProps, Hit, Point } from "../contract.ts";
import { rowBoxOf } from "../scene/covers.ts";
import { isOfCard } from "../scene/hit.ts";
import { useEffectNow } from "../use-effect-now.ts";
import { cardOf, type OpenView } from "../view.ts";
import { createChoosing, selectionAt } from "./choosing.ts";
import { onCanvasKey } from "./keys.ts";
import { boxGesture, dragGesture, panGesture, rowBoxGesture, tapAt } from "./own-gestures.ts";
import { listenToPointers } from "./pointers.ts";
import { createWheelReader } from "./wheel.ts";
import { wheelKind } from "./wheel-kind.ts";

type Root = { readonly current: HTMLElement | null };

/** Handles the pointers, the wheel and the keys of a canvas, and reveals objects that were selected elsewhere. */
export function useInput(root: Root, props: CanvasProps & { readonly view: OpenView }): void {
  const { view } = props;
  // The handlers read the latest properties from this ref, so that the listeners do not have to be registered again.
  const latest = useRef(props);
  latest.current = props;
  const choosing = useMemo(() => createChoosing(view, (options) => latest.current.onOpen?.(options)), [view]);
  useEffectNow(() => {
    const followed = choosing.follow();
    const id = cardOf(followed, view.source.editor.store);
    if (id !== undefined && view.isPlaced) view.camera.reveal(id, rowBoxOf(view, blockIdOf(followed)));
  }, [view, choosing]);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const own = [
      boxGesture(view, choosing),
      panGesture(view),
      rowBoxGesture(view, choosing),
      dragGesture(view, choosing),
    ];
    let isSpaceHeld = false;
    const menu = (hit: Hit, at: Point, world: Point): void => {
      const { blocks } = view.selection;
      const isOneOf = "blockId" in hit && hit.blockId !== undefined && blocks.value.includes(hit.blockId);
      if (isOfCard(hit) && !isOneOf && !view.selection.cards.value.has(hit.id)) choosing.select(selectionAt(view, hit));
      if (hit.kind === "edge") choosing.selectEdge(hit.id);
      latest.current.onMenu?.(hit, at, world);
    };
    const stopPointers = listenToPointers(view, element, {
      gestures: () => [...(latest.current.gestures ?? []), ...own],
      pan: panGesture(view, { isForced: true }),
      tap: (hit, event) => tapAt(view, choosing, hit, event),
      double(hit, event, world) {
        if (latest.current.onDouble?.(hit, event, world) === true) return;
        if (isOfCard(hit)) latest.current.onOpen?.({ hasFocus: true });
      },
      menu,
      isPanning: () => isSpaceHeld,
    });
    const holdSpace = (isHeld: boolean): void => {
      isSpaceHeld = isHeld;
      element.classList.toggle("is-panning", isHeld);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.target !== element) return;
      const isDone = latest.current.onKey?.(event) === true || onOwnKey(event);
      if (!isDone) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onOwnKey = (event: KeyboardEvent): boolean =>
      onCanvasKey(event, view, {
        choosing,
        open: () => latest.current.onOpen?.({ hasFocus: true }),
        menu: (hit) => menuAtSelection(view, hit, menu),
        pan: () => holdSpace(true),
      });
    const onKeyUp = (event: KeyboardEvent): void => {
      if (event.key === " ") holdSpace(false);
    };
    const onBlur = (): void => holdSpace(false);
    const readWheel = createWheelReader();
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const meaning = readWheel(event, event.timeStamp, wheelKind.value);
      const { left, top } = element.getBoundingClientRect();
      if (meaning.kind === "pan") view.camera.panBy(meaning);
      else view.camera.zoomTo(view.camera.zoom * meaning.factor, { x: event.clientX - left, y: event.clientY - top });
    };
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener("keydown", onKeyDown, { signal });
    element.addEventListener("keyup", onKeyUp, { signal });
    element.addEventListener("blur", onBlur, { signal });
    element.addEventListener("wheel", onWheel, { signal, passive: false });
    return () => {
      stopPointers();
      listening.abort();
    };
  }, [view, choosing]);
}

/** Opens the menu for the menu key, at the selected card or in the middle of the canvas. */
function menuAtSelection(view: OpenView, hit: Hit, menu: (hit: Hit, at: Point, world: Point) => void): void {
  const card = isOfCard(hit) ? view.scene.value.cards.get(hit.id) : undefined;
  const box = view.camera.boxNow();
  const world = card
    ? { x: card.box.x + 24, y: card.box.y + 24 }
    : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  menu(hit, view.toScreen(world), world);
}
