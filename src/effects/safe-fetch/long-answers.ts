import { type Clock, systemClock } from "../../platform/concurrency/clock.ts";

/**
 * The number of bytes that may be processed per millisecond. Processing takes a fifth of a millisecond, and the rest of
 * each millisecond is available for other work of the process.
 */
export const bytesPerMs = 128 * 1024;

/**
 * Limits the rate at which long responses are read and decoded on a thread that all requests share. All responses
 * together may process `bytesPerMs` bytes per millisecond, in the order of the requests. Returns undefined if the bytes
 * can be processed immediately.
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
