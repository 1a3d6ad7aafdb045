import type { Clock } from "./transport.ts";

/** Where on the canvas this tab is. */
export type Place = {
  /** Where they point, in the flow's coordinates. */
  readonly pointer?: { readonly x: number; readonly y: number };
  /** The flow's point in the middle of what they see, and how near. */
  readonly camera?: { readonly x: number; readonly y: number; readonly zoom: number };
};

/** At most four a second. */
const pauseMs = 250;
const grid = 8;

type Saying = {
  readonly clock: Pick<Clock, "startTimer">;
  /** Whether somebody else is here. */
  readonly isAnybodyHere: () => boolean;
  readonly say: () => Promise<void>;
};

/**
 * Says where somebody is while others are here, and only what is new.
 *
 *     quiet ─ another place is noted while others are here, or others come ─→ saying
 *     saying ─ it is said, and a quarter of a second is over ─→ quiet; or saying, where it changed meanwhile
 */
export function createSaying({ clock, isAnybodyHere, say }: Saying) {
  let place: Place = {};
  let said = "{}";
  let isSaying = false;
  let stopTimer = (): void => {};

  const saySoon = (): void => {
    if (isSaying || !isAnybodyHere() || JSON.stringify(place) === said) return;
    isSaying = true;
    said = JSON.stringify(place);
    const pause = new Promise<void>((resolve) => {
      stopTimer = clock.startTimer(pauseMs, resolve);
    });
    void Promise.all([say(), pause]).then(() => {
      isSaying = false;
      saySoon();
    });
  };
  return {
    place: () => place,
    note(next: Place): void {
      place = { ...next, ...(next.pointer && { pointer: onGrid(next.pointer) }) };
      saySoon();
    },
    othersCame: saySoon,
    close: () => stopTimer(),
  };
}

function onGrid({ x, y }: { readonly x: number; readonly y: number }) {
  return { x: Math.round(x / grid) * grid || 0, y: Math.round(y / grid) * grid || 0 };
}
