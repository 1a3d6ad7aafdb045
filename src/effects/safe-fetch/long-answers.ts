import { type Clock, systemClock } from "../../platform/concurrency/clock.ts";

/**
 * Reading and decoding this much takes a fifth of a millisecond: the rest of each millisecond is left for other work of
 * this process.
 */
export const bytesPerMs = 128 * 1024;

/**
 * Paces the reading and decoding of long responses, piece by piece, on a thread that all requests need. All responses
 * together get this many bytes in a millisecond, in the order of the requests. Undefined: the piece can be taken at
 * once.
 */
export type Pace = (bytes: number) => Promise<void> | undefined;

export function createPace(clock: Clock = systemClock): Pace {
  const line: { readonly bytes: number; go(): void }[] = [];
  let free = bytesPerMs;
  let isTicking = false;

  const tick = (): void => {
    free = Math.min(bytesPerMs, free + bytesPerMs);
    for (let first = line[0]; first && free > 0; first = line[0]) {
      line.shift();
      free -= first.bytes;
      first.go();
    }
    isTicking = line.length > 0 || free < bytesPerMs;
    if (isTicking) clock.startTimer(1, tick);
  };
  return (bytes) => {
    if (!isTicking) clock.startTimer(1, tick);
    isTicking = true;
    if (line.length === 0 && free > 0) {
      free -= bytes;
      return undefined;
    }
    return new Promise((go) => void line.push({ bytes, go }));
  };
}
