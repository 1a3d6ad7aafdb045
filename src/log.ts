const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const;

export type LogLevel = keyof typeof levels;
export type LogFacts = Readonly<Record<string, unknown>>;

/** One JSON line per entry on stderr: time, level, message, facts. */
export type Log = {
  debug(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  error(message: string, facts?: LogFacts): void;
};

/**
 * A log that writes entries of `level` and above; `process` names the writer among several. Session and result ids are secrets:
 * callers pass them through `shortId`.
 */
export function createLog(level: LogLevel, { process: name }: { process?: string } = {}): Log {
  const write =
    (entryLevel: LogLevel) =>
    (message: string, facts: LogFacts = {}) => {
      if (levels[entryLevel] < levels[level]) return;
      const writer = name === undefined ? {} : { process: name };
      const entry = { time: new Date().toISOString(), level: entryLevel, ...writer, message, ...facts };
      process.stderr.write(`${JSON.stringify(entry, errorsAsText)}\n`);
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** The first 8 characters of a session's or result's id: enough to find it, too little to use it. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

function errorsAsText(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
