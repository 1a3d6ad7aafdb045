import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Clock, systemClock } from "../concurrency/clock.ts";
import { createDeadlines, type Deadlines } from "../concurrency/deadlines.ts";

export type Pace = {
  /** The maximum time for a whole body, regardless of its size. */
  readonly withinMs: number;
  readonly clock?: Clock;
};

/**
 * Yields the chunks of a body whose client must keep a minimum pace. A body changes its state as follows:
 *
 *     arriving ─ a chunk arrives ─────────────────────────────────→ arriving, with more time according to the chunk's size
 *     arriving ─ it ends ─────────────────────────────────────────→ complete
 *     arriving ─ `dueMs` for the arrived bytes has passed ────────→ rejected with `request.too_slow`; no longer read
 *     arriving ─ the connection breaks, or the consumer stops ────→ no longer read
 */
export async function* pacedChunks(
  body: ReadableStream<Uint8Array>,
  { withinMs, clock = systemClock }: Pace,
): AsyncGenerator<Uint8Array> {
  const startedAt = clock.now();
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const leftMs = startedAt + dueMs(bytes, withinMs) - clock.now();
      const { done, value } = await inTime(reader.read(), leftMs, clock);
      if (done) return;
      bytes += value.byteLength;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/**
 * Returns how long a client may take to send this number of bytes. The time suffices for the slowest supported
 * connection, and never exceeds the time for the whole body.
 */
export function dueMs(bytes: number, withinMs: number): number {
  return Math.min(withinMs, limits.request.bodyGraceMs + (bytes / limits.request.bodyBytesPerSecond) * 1_000);
}

/** Resolves to the value of a read. Throws `request.too_slow` if the value does not arrive within `ms` milliseconds. */
export function inTime<Value>(read: Promise<Value>, ms: number, clock: Clock): Promise<Value> {
  return deadlinesOf(clock).within(ms, read, tooSlow);
}

// Creates the error for a slow body. The connection is closed, because the rest of the body would otherwise be parsed
// as the next request.
const tooSlow = () => new AppError("request.too_slow", { headers: { Connection: "close" } });

const ofClocks = new WeakMap<Clock, Deadlines>();

/** Returns the deadlines of a clock, which use one timer for all bodies. */
function deadlinesOf(clock: Clock): Deadlines {
  let deadlines = ofClocks.get(clock);
  if (!deadlines) {
    deadlines = createDeadlines(clock);
    ofClocks.set(clock, deadlines);
  }
  return deadlines;
}
