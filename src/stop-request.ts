/** Under npm a Ctrl-C arrives twice, from the terminal and from npm: signals this close together are one. */
const sameRequestMs = 1_000;

const forcedExitCode = 130;

/** A request to stop this process: by a signal, or because of a fatal failure. */
export type StopRequest = {
  /** Resolves when the process should finish its work and end. */
  readonly asked: Promise<void>;
  /** Resolves when somebody asked again, later: it should end now. */
  readonly forced: Promise<void>;
  /** Asks for the stop because something failed. */
  fail(): void;
  /** 0 after an orderly stop. */
  exitCode(): number;
  /** Gives the signals back to the system. */
  end(): void;
};

/** Listens for the signals that end a service. */
export function stopRequest(): StopRequest {
  const asked = Promise.withResolvers<void>();
  const forced = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  let exitCode = 0;

  const onSignal = () => {
    if (askedAt === undefined) {
      askedAt = performance.now();
      asked.resolve();
    } else if (performance.now() - askedAt > sameRequestMs) {
      exitCode = forcedExitCode;
      forced.resolve();
    }
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    asked: asked.promise,
    forced: forced.promise,
    fail() {
      askedAt ??= performance.now();
      exitCode = 1;
      asked.resolve();
    },
    exitCode: () => exitCode,
    end() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
