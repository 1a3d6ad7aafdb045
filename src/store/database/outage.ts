const connectionFailures = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "NO_PRIMARY",
]);

// Connection exceptions (08), too many connections, a server that shuts down, crashes or starts, and one that has become
// read-only: another one takes the writes now, or soon.
const sqlStates = /^(08...|25006|53300|57P0[1-5])$/;

/** Whether an error that a store function threw means that the database cannot be reached, rather than a wrong statement. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  return connectionFailures.has(error.code) || sqlStates.test(error.code);
}
