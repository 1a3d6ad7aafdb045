import type { Hit, Point } from "../contract.ts";

/*
 * Double presses. The first press selects what is under it: a panel opens beside the canvas, and the camera brings the
 * selection into view again. So the second press, at the same place of the screen, is over another thing, or over the
 * panel. Both mean the thing that was pressed first.
 *
 *   none  → once    a thing is pressed and let go
 *   once  → twice   the same place is pressed: on the canvas, in time, with the first thing; elsewhere without any effect there
 *         → none    another place is pressed
 *   twice → none    the browser reports a double press
 *         → once    it does not, and a thing is pressed and let go
 */

/** The longest time between two presses on the same thing, and the greatest distance in pixels of the screen. */
const soonMs = 500;
const reach = { mouse: 5, touch: 24 } as const;

type Pressed = { readonly hit: Hit; readonly at: Point; readonly world: Point; readonly time: number };

export type Doubles = {
  /** A press that selected this thing has ended. */
  once(pressed: Pressed): void;
  /** A press begins on the canvas; returns the thing that was pressed twice if this is the second press. */
  again(event: PointerEvent): Hit | undefined;
  stop(): void;
};

/** `isOn`: whether an element belongs to the canvas, and does not handle its pointers itself. */
export function listenToDoubles(
  isOn: (target: EventTarget | null) => boolean,
  onDouble: (event: MouseEvent, first: Pressed | undefined) => void,
): Doubles {
  let last: Pressed | undefined;
  /** The press before the current one, at the same place. */
  let first: Pressed | undefined;

  const keepFrom = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  // The canvas prevents this event for presses on itself.
  const onMouseDown = (event: MouseEvent): void => {
    if (isOn(event.target)) return;
    first = event.detail === 2 ? last : undefined;
    last = undefined;
    if (first) keepFrom(event);
  };
  const onClick = (event: MouseEvent): void => {
    if (first && event.detail === 2 && !isOn(event.target)) keepFrom(event);
  };
  const onDoubleClick = (event: MouseEvent): void => {
    const isOver = isOn(event.target);
    if (first && !isOver) keepFrom(event);
    if (first || isOver) onDouble(event, first);
    first = undefined;
  };

  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true };
  addEventListener("mousedown", onMouseDown, options);
  addEventListener("click", onClick, options);
  addEventListener("dblclick", onDoubleClick, options);
  return {
    once(pressed) {
      last = pressed;
    },
    again({ pointerType, clientX, clientY, timeStamp }) {
      const most = pointerType === "touch" ? reach.touch : reach.mouse;
      first = last && Math.hypot(clientX - last.at.x, clientY - last.at.y) < most ? last : undefined;
      last = undefined;
      return first && timeStamp - first.time < soonMs ? first.hit : undefined;
    },
    stop: () => listening.abort(),
  };
}
