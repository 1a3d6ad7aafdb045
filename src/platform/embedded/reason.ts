import type { DataFolders } from "./folders.ts";

/** The reason why PostgreSQL ended, and advice for the operator, if any. */
export type Reason = { readonly text: string; readonly advice: string | undefined };

/**
 * Matches lines such as `2026-11-22 07:12:05.077 UTC [19387] FATAL: text`. Before PostgreSQL has read its settings, it
 * writes neither the date nor the process id.
 */
const messageLine = /^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] (\w+):\s+(.*)$/;

/** Errors that are fatal for only one connection, or that are a consequence of another failure. */
const asides =
  /database system is (starting up|shutting down|in recovery)|not yet accepting|^terminating |cannot abort transaction|too many clients|connection slots|authentication failed|^(role|database) .* does not exist$/;

/**
 * Finds the reason why PostgreSQL or initdb ended, in the output of one run. Returns undefined if the output contains
 * no reason. Parley's advice replaces PostgreSQL's hint, which may tell the operator to recreate a damaged database.
 */
export function readReason(output: readonly string[], folders: DataFolders): Reason | undefined {
  const text = fatalText(output) ?? failureText(output) ?? plainText(output);
  if (text === undefined) return undefined;
  const hint = output.findLast((line) => messageLine.exec(line)?.[2] === "HINT");
  const advice = remedies.find(({ pattern }) => pattern.test(text))?.advice(folders);
  return { text, advice: advice ?? (hint && messageLine.exec(hint)?.[3]) };
}

/**
 * Whether the program ended because a disk was full. Failures of shared memory and semaphores contain the same text.
 */
export function isDiskFull({ text }: Reason): boolean {
  return remedies.find(({ pattern }) => pattern.test(text))?.pattern === diskFull;
}

function fatalText(output: readonly string[]): string | undefined {
  const messages = output.flatMap((line) => {
    const [, pid = "", level = "", text = ""] = messageLine.exec(line) ?? [];
    return level === "" ? [] : [{ pid, level, text }];
  });
  const at = messages.findLastIndex(({ level, text }) => /^(FATAL|PANIC)$/.test(level) && !asides.test(text));
  const fatal = messages[at];
  if (!fatal) return undefined;
  const after = messages.slice(at + 1).find(({ pid, level }) => pid === fatal.pid && level === "DETAIL");
  // The line about sockets gives no reason. An earlier line does.
  const before = messages.slice(0, at).findLast(({ text }) => /could not bind|is too long/.test(text));
  return [/any .*sockets/.test(fatal.text) ? before?.text : undefined, fatal.text, after?.text]
    .flatMap((part) => (part === undefined ? [] : part.replace(/\.$/, "")))
    .join(": ");
}

/** Returns the text of a failure that PostgreSQL logs without a fatal line before it ends, if any. */
function failureText(output: readonly string[]): string | undefined {
  const texts = output.flatMap((line) => messageLine.exec(line)?.[3] ?? []);
  return texts.findLast((text) => text.startsWith("could not "));
}

/** Returns messages, if any, of the loader, of initdb, and of PostgreSQL before it has read its settings. */
function plainText(output: readonly string[]): string | undefined {
  const lines = output.filter(
    (line) => line !== "" && !messageLine.test(line) && !/^(initdb: removing|child process)/.test(line),
  );
  return lines.length === 0 ? undefined : lines.slice(-3).join(" ").replace(/\.$/, "");
}

const diskFull = /No space left on device|Disk quota exceeded/;

/** The first matching pattern applies. */
const remedies: readonly { readonly pattern: RegExp; advice(folders: DataFolders): string }[] = [
  {
    // The shell runs a program for another processor as a script.
    pattern: /failed to execute|posix_spawn|Exec format error|Bad CPU type|Syntax error:/,
    advice: () =>
      "Its programs were built for another processor or system: install Parley again on this machine, or set DATABASE_URL",
  },
  {
    pattern: /could not look up effective user ID/,
    advice: () => "Run Parley as a user in /etc/passwd, such as the image's own user, or set DATABASE_URL",
  },
  {
    pattern: /could not create semaphores/,
    advice: () => "Raise the system's limits of semaphores (SEMMNI, SEMMNS)",
  },
  {
    pattern: /shared memory segment "\/|open shared memory/,
    advice: () => "Give /dev/shm more space (in Docker --shm-size=256m)",
  },
  {
    pattern: /could not map anonymous shared memory|Cannot allocate memory|out of memory/i,
    advice: () => "Free memory on this machine, or give the container more memory",
  },
  { pattern: diskFull, advice: ({ root }) => `Free space on the disk of ${root}; no stored data is lost` },
  {
    pattern: /initialized by PostgreSQL version/,
    advice: ({ data }) =>
      `Use the release of Parley that wrote ${data}, or a server of that version with DATABASE_URL, and move the data with pg_dump`,
  },
  {
    pattern:
      /mismatched byte ordering|different floating-point|initialized with (MAXALIGN|\w*BLCKSZ|\w*SIZE|NAMEDATALEN)/,
    advice: ({ data }) =>
      `${data} was created on another kind of machine: start Parley on that machine, and move all data with parley backup and parley restore`,
  },
  {
    pattern:
      /pg_control|PG_CONTROL_VERSION|control file|valid checkpoint|invalid page|incompatible with server|could not find the database/,
    advice: ({ data }) => `Files in ${data} are damaged or missing: restore a backup of the whole folder`,
  },
  {
    pattern: /Permission denied|Operation not permitted|wrong ownership|invalid permissions/,
    advice: ({ data }) => `Give ${data} and everything in it to one user, and deny access to others (chmod 700)`,
  },
  { pattern: /Read-only file system/, advice: ({ root }) => `Make the disk of ${root} writable` },
  { pattern: /Input\/output error/, advice: ({ root }) => `The disk of ${root} has errors: check the system's log` },
  { pattern: /socket path .* is too long/, advice: () => "Choose a DATA_DIR with a shorter path" },
  {
    pattern: /shared libraries|Error relocating|symbol lookup|Library not loaded|GLIBC/,
    advice: () => "Install the library that its programs need, or set DATABASE_URL to a PostgreSQL 15 or newer",
  },
];

/** Matches a PANIC, and a process that was ended by a signal. Signal 6 follows a PANIC, which was matched already. */
const lossLine = /PANIC|was terminated by signal (?!6\b)/;

/**
 * Returns the message of a line about a process that died while the server continues. Returns undefined for other
 * lines.
 */
export function readLoss(line: string): string | undefined {
  const [, , level, text = ""] = messageLine.exec(line) ?? [];
  return level !== undefined && lossLine.test(`${level} ${text}`) ? text : undefined;
}
