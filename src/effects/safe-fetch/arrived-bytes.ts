import type { Clock } from "../../platform/concurrency/clock.ts";

/** How long bytes may be held back, in milliseconds since the last delivery. Read each time. */
export type HoldMs = () => number;

/** The body of a response while it arrives. */
export type ArrivedBytes = {
  /** Each read gets all bytes that have arrived since the last one. */
  readonly body: ReadableStream<Uint8Array>;
  add(piece: Uint8Array): void;
  /** How many bytes wait to be read. */
  waiting(): number;
  /** The body is complete. */
  close(): void;
  /** The body broke off: reading throws this error, after all earlier bytes. */
  fail(error: Error): void;
};

type Options = {
  readonly clock: Clock;
  readonly holdMs: HoldMs;
  /** Called when waiting bytes are read. */
  onRead(): void;
  /** Called when the reader cancels. */
  onCancel(): void;
};

/**
 * The bytes of a body that have arrived and were not read yet. A provider sends each word of a model apart, and every
 * stage of the pipeline costs the same for one word as for many: so a reader gets many at once, and decides itself how
 * long it waits for them.
 *
 *     empty ─ bytes arrive ─────────────────→ waiting
 *     waiting ─ a read comes, none is due ───→ held, until `holdMs` after the last time
 *     waiting, held ─ due, and a read waits ─→ delivered; empty
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
