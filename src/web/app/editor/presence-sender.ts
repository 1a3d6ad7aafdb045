import type { Clock } from "./working-copy/transport.ts";

/** A selection in a text: from `at` to the caret at `to`, in units of the text in a revision of the draft. */
export type SaidText = {
  /** The text, in the selected thing. */
  readonly path: (string | number)[];
  readonly at: number;
  readonly to: number;
  readonly revision: number;
};

/** The place of this tab: on the canvas, and in a text. */
export type Place = {
  /** The pointer's place, in the flow's coordinates. */
  readonly pointer?: { readonly x: number; readonly y: number };
  /** The flow's point in the middle of their view, and the zoom. */
  readonly camera?: { readonly x: number; readonly y: number; readonly zoom: number };
  readonly text?: SaidText;
};

/** At most four a second. */
const pauseMs = 250;
const grid = 8;

type PresenceSending = {
  readonly clock: Pick<Clock, "startTimer">;
  /** Whether another person is present. */
  readonly isAnybodyHere: () => boolean;
  readonly say: () => Promise<void>;
};

/**
 * Sends this person's place while others are here, and only when it changes.
 *
 *     quiet ─ another place is noted while others are here, or others come ─→ saying
 *     saying ─ it is said, and a quarter of a second is over ─→ quiet; or saying, where it changed meanwhile
 */
export function createPresenceSender({ clock, isAnybodyHere, say }: PresenceSending) {
  let onCanvas: Omit<Place, "text"> = {};
  let readText: (() => SaidText | undefined) | undefined;
  let said = "{}";
  let isSaying = false;
  let stopTimer = (): void => {};

  const place = (): Place => {
    const text = readText?.();
    return { ...onCanvas, ...(text && { text }) };
  };
  const saySoon = (): void => {
    if (isSaying || !isAnybodyHere()) return;
    if (JSON.stringify(place()) === said) return;
    isSaying = true;
    const pause = new Promise<void>((resolve) => {
      stopTimer = clock.startTimer(pauseMs, resolve);
    });
    void Promise.all([say(), pause]).then(() => {
      isSaying = false;
      saySoon();
    });
  };
  return {
    /** The current place, to be sent at once: a place that was noted before may have waited for a request. */
    placeToSend(): Place {
      const now = place();
      said = JSON.stringify(now);
      return now;
    },
    note(next: Omit<Place, "text">): void {
      onCanvas = { ...next, ...(next.pointer && { pointer: onGrid(next.pointer) }) };
      saySoon();
    },
    /**
     * The place in a text may have changed. `read` is called when the place is sent: never while nobody else is
     * present.
     */
    noteText(read: (() => SaidText | undefined) | undefined): void {
      readText = read;
      saySoon();
    },
    othersCame: saySoon,
    close: () => stopTimer(),
  };
}

function onGrid({ x, y }: { readonly x: number; readonly y: number }) {
  return { x: Math.round(x / grid) * grid || 0, y: Math.round(y / grid) * grid || 0 };
}
