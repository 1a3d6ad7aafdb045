import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Clock, systemClock } from "../concurrency/clock.ts";
import { createDeadlines, type Deadlines } from "../concurrency/deadlines.ts";

export type Pace = {
  /** The time for a whole body, however large. */
  readonly withinMs: number;
  readonly clock?: Clock;
};

/**
 * The chunks of a body, from a client that keeps a minimum pace. A body is
 *
 *     coming in ─ a chunk arrives ───────────────────────────────────→ coming in, with more time for its size
 *     coming in ─ it ends ───────────────────────────────────────────→ whole
 *     coming in ─ `dueMs` for the arrived bytes is over ─────────────→ refused with `request.too_slow`, and not read any further
 *     coming in ─ the connection breaks, or the reader has enough ───→ not read any further
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
 * How long a client may take to send this much: as long as the slowest connection needs, and never more than the time
 * for the whole body.
 */
export function dueMs(bytes: number, withinMs: number): number {
  return Math.min(withinMs, limits.request.bodyGraceMs + (bytes / limits.request.bodyBytesPerSecond) * 1_000);
}

/** The next chunk, if it arrives within this time. Throws `request.too_slow`. */
export function inTime<Value>(read: Promise<Value>, ms: number, clock: Clock): Promise<Value> {
  return deadlinesOf(clock).within(ms, read, tooSlow);
}

// Otherwise the rest of the body would be read as the next request.
const tooSlow = () => new AppError("request.too_slow", { headers: { Connection: "close" } });

const ofClocks = new WeakMap<Clock, Deadlines>();

/** One timer for all bodies. */
function deadlinesOf(clock: Clock): Deadlines {
  let deadlines = ofClocks.get(clock);
  if (!deadlines) {
    deadlines = createDeadlines(clock);
    ofClocks.set(clock, deadlines);
  }
  return deadlines;
}
