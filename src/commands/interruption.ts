import { StartError } from "../config.ts";
import { isOutage } from "../platform/database/primary/outage.ts";
import { stopSignals } from "../platform/processes/stop-request.ts";

/** Under npm a Ctrl-C arrives twice. A second one ends the command at once, without undoing anything. */
const sameMs = 1_000;

/** Ctrl-C, or the signal of a service manager, while a command works. */
export type Interruption = {
  readonly signal: AbortSignal;
  /** Calls this as soon as there is one; at once if there was. */
  onSignal(listener: () => void): void;
  /** The error of a command that was interrupted, in place of the one that this led to. */
  errorOf(error: unknown): unknown;
  end(): void;
};

/**
 * Has a command undo its work and end when it is interrupted: otherwise the process would end at once, and leave a
 * database of ours running, a scratch database, half of a backup, or files that were restored.
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
      // Its connections were closed.
      const what = error instanceof StartError && !isOutage(error.cause) ? ` ${error.message}` : "";
      return new StartError(`Interrupted by ${first.signal}.${what}`, { cause: error });
    },
    end() {
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}
