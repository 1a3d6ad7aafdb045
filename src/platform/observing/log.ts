import { currentRequest } from "./current-request.ts";
import { standardError } from "./log-lines.ts";

const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const;

export type LogLevel = keyof typeof levels;
export type LogFacts = Readonly<Record<string, unknown>>;

/**
 * One JSON line per entry on stderr: time, level, message, facts, and the id of the request that is being served.
 * Warnings and errors are written at once, the rest within 100 ms.
 */
export type Log = {
  debug(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  error(message: string, facts?: LogFacts): void;
};

/**
 * A log that writes entries of `level` and above; `process` names the writer if there are several. Session and result
 * ids are secrets: callers shorten them by `shortId`.
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
      // Built as text: otherwise an object would be made for each line only to be serialized once.
      const line = `{"time":"${timeNow()}${known}${JSON.stringify(message)}${id}${asMembers(facts)}}\n`;
      standardError({ isShared }).write(line, { isUrgent });
    };
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

let lastMs = 0;
let lastTime = "";

/** Several lines of one millisecond share the text of the time, which takes as long as half a line. */
function timeNow(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

/** The first 8 characters of a session's or result's id: enough to find the session or result, too little to use it. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/**
 * Facts as further members of an object's text. Plain facts need no search for errors, which would cost an access line
 * three times as much.
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
 * The facts that distinguish one failure from others, including those of PostgreSQL, but not its `detail` and `where`:
 * they quote users' input.
 */
const naming = ["code", "severity", "routine", "table_name", "column_name", "constraint_name"];

function namesOf(error: Error): LogFacts {
  return Object.fromEntries(Object.entries(error).filter(([name]) => naming.includes(name)));
}
