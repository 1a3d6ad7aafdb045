import { currentRequest } from "./current-request.ts";
import { standardError } from "./log-lines.ts";

const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const;

export type LogLevel = keyof typeof levels;
export type LogFacts = Readonly<Record<string, unknown>>;

/**
 * Writes one JSON line per entry to stderr, with the time, the level, the message, the facts, and the id of the current
 * request. Warnings and errors are written immediately, other entries within 100 ms.
 */
export type Log = {
  debug(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  error(message: string, facts?: LogFacts): void;
};

/**
 * Creates a log that writes entries of `level` and above. `process` names the process if there are several. Ids of
 * sessions and results are secrets, so callers shorten them with `shortId`.
 */
export function createLog(level: LogLevel, { process: name }: { process?: string } = {}): Log {
  const writer = name === undefined ? "" : `,"process":${JSON.stringify(name)}`;
  const isShared = name !== undefined;
  const write = (entryLevel: LogLevel) => {
    const isUrgent = levels[entryLevel] >= levels.warn;
    const known = `","level":"${entryLevel}"${writer},"message":`;
    return (message: string, facts: LogFacts = {}) => {
      if (levels[entryLevel] < levels[level]) return;
      const request = currentRequest();
      const id = request && !("requestId" in facts) ? `,"requestId":${JSON.stringify(request.requestId)}` : "";
      // The line is concatenated as text, because an object per line would only be created to be serialized.
      const line = `{"time":"${timeNow()}${known}${JSON.stringify(message)}${id}${asMembers(facts)}}\n`;
      standardError({ isShared }).write(line, { isUrgent });
    };
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

let lastMs = 0;
let lastTime = "";

/**
 * Returns the current time. Lines of the same millisecond share the formatted time, because formatting takes as long as
 * half a line.
 */
function timeNow(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

/**
 * Returns the first 8 characters of a session's or result's id, which are enough to find the session or result but not
 * enough to access it.
 */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/**
 * Renders the facts as further members of a JSON object. Facts are searched for errors only if they contain objects,
 * because the search would make an access line three times as expensive.
 */
function asMembers(facts: LogFacts): string {
  const members = (hasObjects(facts) ? JSON.stringify(facts, errorsAsText) : JSON.stringify(facts)).slice(1, -1);
  return members === "" ? "" : `,${members}`;
}

function hasObjects(facts: LogFacts): boolean {
  for (const name in facts) if (typeof facts[name] === "object") return true;
  return false;
}

function errorsAsText(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, ...namesOf(value), stack, cause };
}

/**
 * The properties of an error that identify the failure. PostgreSQL's `detail` and `where` are omitted, because they
 * quote users' input.
 */
const naming = ["code", "severity", "routine", "table_name", "column_name", "constraint_name"];

function namesOf(error: Error): LogFacts {
  return Object.fromEntries(Object.entries(error).filter(([name]) => naming.includes(name)));
}
