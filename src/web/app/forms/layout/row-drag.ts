import { useEffect, useRef, useState } from "preact/hooks";

/** The keys of the dragged row and of the row at the drop position. */
type Drag = { readonly row: string; readonly over: string };

/**
 * Moves the rows of a list by a handle. The dragged row stays in place, and a line shows the new position. Other people
 * may insert and remove rows during a drag, so rows are identified by their keys.
 */
export function useRowDrag(
  list: { readonly current: HTMLElement | null },
  keys: readonly string[],
  onMove: (from: number, to: number) => void,
): {
  readonly grab: (event: PointerEvent, key: string | undefined) => void;
  readonly classOf: (index: number) => string | undefined;
} {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef({ keys, onMove });
  latest.current = { keys, onMove };
  const stop = useRef<() => void>(undefined);
  const isGone = drag !== undefined && !keys.includes(drag.row);
  useEffect(() => {
    if (isGone) stop.current?.();
  }, [isGone]);

  const grab = (event: PointerEvent, row: string | undefined): void => {
    const handle = event.currentTarget;
    if (row === undefined || event.button !== 0 || !(handle instanceof HTMLElement)) return;
    handle.setPointerCapture(event.pointerId);
    let over = row;
    const end = (isDropped: boolean) => () => {
      for (const [type, listener] of listeners) handle.removeEventListener(type, listener);
      setDrag(undefined);
      const now = latest.current;
      const [from, to] = [now.keys.indexOf(row), now.keys.indexOf(over)];
      if (isDropped && from >= 0 && to >= 0 && to !== from) now.onMove(from, to);
    };
    const onPointerMove = (moved: Event): void => {
      if (!(moved instanceof PointerEvent)) return;
      over = latest.current.keys[rowAt(list.current, moved.clientY)] ?? row;
      setDrag((now) => (now?.row === row && now.over === over ? now : { row, over }));
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
      ["lostpointercapture", end(false)],
      ["keydown", onKeyDown],
    ] as const;
    for (const [type, listener] of listeners) handle.addEventListener(type, listener);
    stop.current = end(false);
  };
  const classOf = (index: number): string | undefined => {
    const key = keys[index];
    if (!drag || key === undefined) return undefined;
    if (key === drag.row) return "is-dragged";
    if (key !== drag.over) return undefined;
    return index < keys.indexOf(drag.row) ? "is-before" : "is-after";
  };
  return { grab, classOf };
}

/** Returns the index of the row at a y coordinate, or of the nearest row. */
function rowAt(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.children ?? [])];
  const found = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
  return found < 0 ? Math.max(0, rows.length - 1) : found;
}
