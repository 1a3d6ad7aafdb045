import { StartError } from "../config.ts";
import { isOutage } from "../platform/database/primary/outage.ts";
import { stopSignals } from "../platform/processes/stop-request.ts";

/** Under npm a Ctrl-C arrives twice. Another one ends the command immediately, without undoing its work. */
const sameMs = 1_000;

/** Ctrl-C, or the signal of a service manager, during a command. */
export type Interruption = {
  readonly signal: AbortSignal;
  /** Calls the listener on an interruption, or immediately if there was one. */
  onSignal(listener: () => void): void;
  /** The error of an interrupted command, in place of the one that the interruption caused. */
  errorOf(error: unknown): unknown;
  end(): void;
};

/**
 * Makes an interrupted command undo its work before it ends: otherwise the process would end immediately, and leave a
 * database of ours running, a scratch database, half of a backup, or restored files.
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
      // The command's connections were closed.
      const what = error instanceof StartError && !isOutage(error.cause) ? ` ${error.message}` : "";
      return new StartError(`Interrupted by ${first.signal}.${what}`, { cause: error });
    },
    end() {
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}
