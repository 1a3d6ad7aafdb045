import type { Socket } from "node:net";
import { backgroundClock, type Clock } from "../../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../concurrency/poll-loop.ts";

/** Closes connections whose server process does not answer; the driver then fails the statements that wait there. */
export type SilenceWatch = {
  add(socket: WatchedSocket): void;
  close(): void;
};

/** The part of a socket that is watched. */
export type WatchedSocket = Pick<Socket, "bytesWritten" | "destroyed"> & {
  destroy(): unknown;
  on(event: "data", listener: () => void): unknown;
};

/**
 * For pools with short statements only: one server process can hang while the others, and the one that is asked whether
 * the server takes writes, still answer. Each socket is
 *
 *     quiet ─ something was written to it ──────────→ waiting, from the next look on
 *     waiting ─ something came ─────────────────────→ quiet
 *     waiting ─ nothing came for `silenceMs` ───────→ closed, at the next look
 *
 * After several pipelined statements the first answer makes it quiet until the next write.
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
