import type { Clock } from "../../platform/concurrency/clock.ts";

/** Returns how long bytes may be delayed, in milliseconds since the last delivery. */
export type HoldMs = () => number;

/** The body of a response while it is being received. */
export type ArrivedBytes = {
  /** Each read returns all bytes received since the last read. */
  readonly body: ReadableStream<Uint8Array>;
  add(piece: Uint8Array): void;
  /** Returns the number of bytes that have not been read. */
  waiting(): number;
  /** Must be called when the body is complete. */
  close(): void;
  /** Must be called when the body is interrupted. After all earlier bytes were read, reading throws this error. */
  fail(error: Error): void;
};

type Options = {
  readonly clock: Clock;
  readonly holdMs: HoldMs;
  /** Called when buffered bytes are read. */
  onRead(): void;
  /** Called when the reader cancels. */
  onCancel(): void;
};

/**
 * The received bytes of a body that are not read yet. A model provider sends each word separately, and every stage of
 * the pipeline costs the same for one word as for many words. The reader therefore gets many words at once and decides
 * how long it waits for them.
 *
 *     empty ─ bytes arrive ────────────────────────────────→ waiting
 *     waiting ─ a read, before the bytes are due ──────────→ held, until `holdMs` after the last delivery
 *     waiting, held ─ the bytes are due, and a read waits ─→ delivered; empty
 *     waiting, held ─ close or fail ───────────────────────→ due immediately, followed by the end or the error
 *     any state ─ the reader cancels ──────────────────────→ finished
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
