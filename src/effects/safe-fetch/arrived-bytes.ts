import type { Clock } from "../../platform/concurrency/clock.ts";

/** How long what comes of a body may be held back, in milliseconds since the last time that something was given. Asked each time. */
export type HoldMs = () => number;

/** The body of an answer while it comes. */
export type ArrivedBytes = {
  /** Whoever reads it gets all at once that has come since the last time. */
  readonly body: ReadableStream<Uint8Array>;
  add(piece: Uint8Array): void;
  /** How many bytes wait to be read. */
  waiting(): number;
  /** There is no more. */
  close(): void;
  /** There is no more, since something went wrong: reading throws this, once all was given that came before. */
  fail(error: Error): void;
};

type Options = {
  readonly clock: Clock;
  readonly holdMs: HoldMs;
  /** What waited is being read. */
  onRead(): void;
  /** Nobody reads any more. */
  onCancel(): void;
};

/**
 * What has come of a body and was not read yet. A provider sends each word of a model apart, and every stage that a piece goes through costs the same
 * for one word as for many: so a reader gets many at once, and decides itself how long it can bear to wait for them.
 *
 *     empty ─ something comes ──────────────→ waiting
 *     waiting ─ somebody reads, none is due ─→ held, until `holdMs` after the last time
 *     waiting, held ─ it is due and read ────→ given; empty
 *     waiting, held ─ close, fail ───────────→ due at once; behind it the end or the error
 *     any ─ the reader cancels ──────────────→ over
 */
export function createArrivedBytes({ clock, holdMs, onRead, onCancel }: Options): ArrivedBytes {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let isWanted = false;
  let givenAt = Number.NEGATIVE_INFINITY;
  let stopHolding: (() => void) | undefined;
  let end: (() => void) | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  const give = (): void => {
    const all = joined(pieces, bytes);
    pieces = [];
    bytes = 0;
    isWanted = false;
    givenAt = clock.now();
    controller?.enqueue(all);
    onRead();
  };
  const giveWhatIsDue = (): void => {
    if (!isWanted || stopHolding) return;
    if (pieces.length === 0) {
      end?.();
      return;
    }
    const dueMs = end ? 0 : givenAt + holdMs() - clock.now();
    if (dueMs <= 0) {
      give();
      return;
    }
    stopHolding = clock.startTimer(dueMs, () => {
      stopHolding = undefined;
      give();
    });
  };
  const release = (): void => {
    stopHolding?.();
    stopHolding = undefined;
  };
  const endBy = (how: () => void): void => {
    end ??= how;
    release();
    giveWhatIsDue();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      pull() {
        isWanted = true;
        giveWhatIsDue();
      },
      cancel() {
        release();
        pieces = [];
        onCancel();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    add(piece) {
      pieces.push(piece);
      bytes += piece.byteLength;
      giveWhatIsDue();
    },
    waiting: () => bytes,
    close: () => endBy(() => controller?.close()),
    fail: (error) => endBy(() => controller?.error(error)),
  };
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const [first, second] = pieces;
  if (first && !second) return first;
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}
