import { StartError } from "../config.ts";
import { isOutage } from "../platform/database/primary/outage.ts";
import { stopSignals } from "../platform/processes/stop-request.ts";

/**
 * Under npm, Ctrl-C sends two signals, so a second signal within this time is ignored. A later signal ends the command
 * immediately, without undoing its work.
 */
const sameMs = 1_000;

/** The interruption of a command by Ctrl-C or by the signal of a service manager. */
export type Interruption = {
  readonly signal: AbortSignal;
  /** Calls the listener on an interruption, or immediately if the command was already interrupted. */
  onSignal(listener: () => void): void;
  /** Returns an error about the interruption if the command was interrupted. Otherwise, returns the error itself. */
  errorOf(error: unknown): unknown;
  end(): void;
};

/**
 * Makes an interrupted command undo its work before it ends. Without this, the process would end immediately and leave
 * behind a running embedded database, a scratch database, half of a backup, or restored files.
 */
export function awaitInterruption(): Interruption {
  let first: { readonly signal: string; readonly at: number } | undefined;
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      controller.abort();
    } else if (performance.now() - first.at > sameMs) process.exit(1);
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  const { signal: aborted } = controller;
  return {
    signal: aborted,
    onSignal(listener) {
      if (aborted.aborted) listener();
      else aborted.addEventListener("abort", listener);
    },
    errorOf(error) {
      if (first === undefined) return error;
      // Omits the message of an outage, because the interruption itself closed the command's connections.
      const what = error instanceof StartError && !isOutage(error.cause) ? ` ${error.message}` : "";
      return new StartError(`Interrupted by ${first.signal}.${what}`, { cause: error });
    },
    end() {
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}
