import { readToSupervisor, type ToServing, type ToSupervisor } from "./messages.ts";
import { ownProgram } from "./own-program.ts";
import type { Ending } from "./slot.ts";

/** The environment variable that marks a process as started by a supervisor. */
export const supervisedVariable = "PARLEY_SUPERVISED";

/**
 * The messages that are forwarded to the supervisor. The reason for a failed start is stored until the process has
 * ended.
 */
export type Heard = Exclude<ToSupervisor, { kind: "failed" }>;

/** A serving process from the perspective of its supervisor. */
export type ServingProcess = {
  readonly pid: number;
  /** Sends a message. Does nothing if the process can no longer receive messages. */
  send(message: ToServing): void;
  kill(): void;
};

/** Starts this program again as a serving process under the current process. */
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
        // The process has ended or is about to end. `onEnd` reports the end.
      }
    },
    kill: () => child.kill("SIGKILL"),
  };
}
