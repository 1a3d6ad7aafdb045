import { currentRequest } from "./current-request.ts";
import { standardError } from "./log-lines.ts";

const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const;

export type LogLevel = keyof typeof levels;
export type LogFacts = Readonly<Record<string, unknown>>;

/**
 * One JSON line per entry on stderr: time, level, message, facts, and the id of the request that is being served. Warnings and
 * errors are written at once, the rest within 100 ms.
 */
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
  const writer = name === undefined ? {} : { process: name };
  const write =
    (entryLevel: LogLevel) =>
    (message: string, facts: LogFacts = {}) => {
      if (levels[entryLevel] < levels[level]) return;
      const request = currentRequest();
      const known = request && { requestId: request.requestId };
      const entry = { time: new Date().toISOString(), level: entryLevel, ...writer, message, ...known, ...facts };
      standardError().write(`${asText(entry, facts)}\n`, { isUrgent: levels[entryLevel] >= levels.warn });
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** The first 8 characters of a session's or result's id: enough to find it, too little to use it. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** Facts that are plain need no look for errors, which costs an access line three times as much. */
function asText(entry: LogFacts, facts: LogFacts): string {
  for (const name in facts) if (typeof facts[name] === "object") return JSON.stringify(entry, errorsAsText);
  return JSON.stringify(entry);
}

function errorsAsText(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, ...namesOf(value), stack, cause };
}

/** What tells one failure from others, of PostgreSQL too. Not its `detail` and `where`: they quote what somebody has written. */
const naming = ["code", "severity", "routine", "table_name", "column_name", "constraint_name"];

function namesOf(error: Error): LogFacts {
  return Object.fromEntries(Object.entries(error).filter(([name]) => naming.includes(name)));
}
