import { readToSupervisor, type ToServing, type ToSupervisor } from "./messages.ts";
import { ownProgram } from "./own-program.ts";
import type { Ending } from "./slot.ts";

/** Marks a process as started by a supervisor. */
export const supervisedVariable = "PARLEY_SUPERVISED";

/** The messages that are passed on: the reason of a failed start is kept until the process has ended. */
export type Heard = Exclude<ToSupervisor, { kind: "failed" }>;

/** A serving process, as its supervisor sees it. */
export type ServingProcess = {
  readonly pid: number;
  /** Sends nothing if the process can no longer receive. */
  send(message: ToServing): void;
  kill(): void;
};

/** Starts this program again, to serve under this process. */
export function spawnServing(options: {
  onMessage(message: Heard): void;
  onEnd(ending: Ending): void;
  onBadMessage(error: unknown): void;
}): ServingProcess {
  let reason: string | undefined;
  const child = Bun.spawn(ownProgram(), {
    env: { ...process.env, [supervisedVariable]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
    serialization: "json",
    ipc(received) {
      try {
        const message = readToSupervisor(received);
        if (message.kind === "failed") reason = message.message;
        else options.onMessage(message);
      } catch (error) {
        options.onBadMessage(error);
      }
    },
    onExit(_, exitCode, signal) {
      const what = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
      options.onEnd({ what, ...(reason !== undefined && { reason }) });
    },
  });
  return {
    pid: child.pid,
    send(message) {
      try {
        child.send(message);
      } catch {
        // The process has ended, or is about to end: `onEnd` reports it.
      }
    },
    kill: () => child.kill("SIGKILL"),
  };
}
