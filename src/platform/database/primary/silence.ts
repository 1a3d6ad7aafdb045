import type { Socket } from "node:net";
import { backgroundClock, type Clock } from "../../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../concurrency/poll-loop.ts";

/**
 * Closes connections whose server process does not respond. The driver then fails the waiting statements of these
 * connections.
 */
export type SilenceWatch = {
  add(socket: WatchedSocket): void;
  close(): void;
};

/** The members of a socket that the watch uses. */
export type WatchedSocket = Pick<Socket, "bytesWritten" | "destroyed"> & {
  destroy(): unknown;
  on(event: "data", listener: () => void): unknown;
};

/**
 * Watches pools that only run short statements. A single server process can hang while the others still respond,
 * including the process that reports whether the server accepts writes. Each socket changes its state as follows:
 *
 *     quiet ─ data was written ────────────────────→ waiting, from the next check
 *     waiting ─ data was received ─────────────────→ quiet
 *     waiting ─ nothing received for `silenceMs` ──→ closed at the next check
 *
 * After several pipelined statements, the first response makes the socket quiet until the next write.
 */
export function watchSilence(
  { everyMs, silenceMs }: { everyMs: number; silenceMs: number },
  clock: Clock = backgroundClock,
): SilenceWatch {
  type State = { writtenBefore: number; waitingSince: number | undefined };
  const sockets = new Map<WatchedSocket, State>();
  let looks: PollLoop | undefined;

  const look = async (): Promise<void> => {
    for (const [socket, state] of sockets) {
      if (socket.destroyed) sockets.delete(socket);
      else if (socket.bytesWritten > state.writtenBefore) {
        state.waitingSince ??= clock.now();
        if (clock.now() - state.waitingSince >= silenceMs) socket.destroy();
      }
    }
  };
  return {
    add(socket) {
      const state: State = { writtenBefore: socket.bytesWritten, waitingSince: undefined };
      sockets.set(socket, state);
      socket.on("data", () => {
        state.writtenBefore = socket.bytesWritten;
        state.waitingSince = undefined;
      });
      looks ??= startPollLoop({ everyMs, startsWaiting: true, run: look, onFailure: () => {}, clock });
    },
    close: () => void looks?.stop(),
  };
}
