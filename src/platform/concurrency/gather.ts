import { type Clock, systemClock } from "./clock.ts";

/**
 * Holds requests that arrive in the same turn of the event loop until the turn ends, and then starts them together. A
 * request starts immediately if no other request is running.
 *
 * The runtime runs a request from its first byte to its first `await` before it looks at the next socket. The code on
 * this path is larger than a processor's caches, so each request would start with caches that the previous request has
 * filled with other code. Gathered requests run the same code together, `await` by `await`. With 32 visitors and about
 * ten requests a turn, a step needs less of the service's processor time. Three runs measured 164 → 133, 165 → 143 and
 * 204 → 181 µs (two cores, AMD EPYC, Bun 1.4.4).
 */
export type Gathering = {
  /** Registers a new request. If other requests are running, returns a promise that resolves at the end of the turn. */
  join(): Promise<void> | undefined;
  /** Marks a request as finished. */
  leave(): void;
};

export function createGathering({ setImmediate }: Pick<Clock, "setImmediate"> = systemClock): Gathering {
  let underWay = 0;
  let turn: Promise<void> | undefined;
  const endOfTurn = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
  return {
    join() {
      underWay++;
      if (underWay === 1) return undefined;
      turn ??= endOfTurn();
      return turn;
    },
    leave() {
      underWay--;
    },
  };
}
