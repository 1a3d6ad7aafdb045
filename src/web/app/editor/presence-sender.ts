import type { Clock } from "./working-copy/transport.ts";

/** A text selection from `at` to the caret at `to`. Both are positions in the text at this revision of the draft. */
export type SaidText = {
  /** The path of the text in the selected object. */
  readonly path: (string | number)[];
  readonly at: number;
  readonly to: number;
  readonly revision: number;
};

/** The position of this tab's author on the canvas and in a text. */
export type Place = {
  /** The pointer's position in world coordinates. */
  readonly pointer?: { readonly x: number; readonly y: number };
  /** The point in the middle of the view in world coordinates, and the zoom. */
  readonly camera?: { readonly x: number; readonly y: number; readonly zoom: number };
  readonly text?: SaidText;
};

/** The shortest time in ms between two sends, which limits them to four per second. */
const pauseMs = 250;
const grid = 8;

type PresenceSending = {
  readonly clock: Pick<Clock, "startTimer">;
  readonly isAnybodyHere: () => boolean;
  readonly say: () => Promise<void>;
};

/**
 * Sends this person's position when it changes, but only while other people are present.
 *
 *     idle ─ the position has changed, and others are present ─→ sending
 *     sending ─ the response has arrived and 250 ms have passed ─→ idle, or sending if the position has changed again
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
    /**
     * Returns the current position for immediate sending. The last noted position may be outdated, because it may have
     * waited for a request.
     */
    placeToSend(): Place {
      const now = place();
      said = JSON.stringify(now);
      return now;
    },
    note(next: Omit<Place, "text">): void {
      onCanvas = { ...next, ...(next.pointer && { pointer: onGrid(next.pointer) }) };
      saySoon();
    },
    /** Called when the caret or selection may have changed. Does not call `read` while nobody else is present. */
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
