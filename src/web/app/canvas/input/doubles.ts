import type { Hit, Point } from "../contract.ts";

/*
 * Double presses. The first press selects an object. A panel then opens beside the canvas, and the camera may move to
 * keep the selection visible. The second press at the same screen position may therefore be on another object or on the
 * panel. Both presses apply to the object that was pressed first.
 *
 *   none  → once    an object is pressed and released
 *   once  → twice   the same position is pressed; outside the canvas, this press has no other effect
 *         → none    another position is pressed
 *   twice → none    the browser reports a double click
 *         → once    the browser does not report one, and an object is pressed and released
 */

/** The longest time in ms between two presses on the same object, and the greatest distance in screen pixels. */
const soonMs = 500;
const reach = { mouse: 5, touch: 24 } as const;

type Pressed = { readonly hit: Hit; readonly at: Point; readonly world: Point; readonly time: number };

export type Doubles = {
  /** Called when a press that selected an object has ended. */
  once(pressed: Pressed): void;
  /**
   * Called when a press begins on the canvas. Returns the object of the first press if this is the second press of a
   * double press; otherwise undefined.
   */
  again(event: PointerEvent): Hit | undefined;
  stop(): void;
};

/**
 * Detects double presses. `isOn` returns whether an element belongs to the canvas and does not handle pointer events
 * itself.
 */
export function listenToDoubles(
  isOn: (target: EventTarget | null) => boolean,
  onDouble: (event: MouseEvent, first: Pressed | undefined) => void,
): Doubles {
  let last: Pressed | undefined;
  /** The previous press at the same position. */
  let first: Pressed | undefined;

  const keepFrom = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  // Handles a press outside the canvas.
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
