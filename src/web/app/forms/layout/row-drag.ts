import { useRef, useState } from "preact/hooks";

type Drag = { readonly from: number; readonly to: number };

/** Rows of a list that are moved by a handle: the row follows no pointer, a line says where it would go. */
export function useRowDrag(
  list: { readonly current: HTMLElement | null },
  onMove: (from: number, to: number) => void,
): {
  readonly grab: (event: PointerEvent, index: number) => void;
  readonly classOf: (index: number) => string | undefined;
} {
  const [drag, setDrag] = useState<Drag>();
  const move = useRef(onMove);
  move.current = onMove;

  const grab = (event: PointerEvent, from: number): void => {
    const handle = event.currentTarget;
    if (event.button !== 0 || !(handle instanceof HTMLElement)) return;
    handle.setPointerCapture(event.pointerId);
    let to = from;
    const end = (isDropped: boolean) => () => {
      for (const [type, listener] of listeners) handle.removeEventListener(type, listener);
      setDrag(undefined);
      if (isDropped && to !== from) move.current(from, to);
    };
    const onPointerMove = (moved: Event): void => {
      if (!(moved instanceof PointerEvent)) return;
      to = rowAt(list.current, moved.clientY);
      setDrag((now) => (now?.from === from && now.to === to ? now : { from, to }));
    };
    const onKeyDown = (pressed: Event): void => {
      if (!(pressed instanceof KeyboardEvent) || pressed.key !== "Escape") return;
      pressed.stopPropagation();
      end(false)();
    };
    const listeners = [
      ["pointermove", onPointerMove],
      ["pointerup", end(true)],
      ["pointercancel", end(false)],
      ["keydown", onKeyDown],
    ] as const;
    for (const [type, listener] of listeners) handle.addEventListener(type, listener);
  };
  const classOf = (index: number): string | undefined => {
    if (!drag) return undefined;
    if (index === drag.from) return "is-dragged";
    if (index !== drag.to) return undefined;
    return drag.to < drag.from ? "is-before" : "is-after";
  };
  return { grab, classOf };
}

/** The place of the row at a height, or of the one that is nearest to it. */
function rowAt(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.children ?? [])];
  const found = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
  return found < 0 ? Math.max(0, rows.length - 1) : found;
}
