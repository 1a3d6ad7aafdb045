/**
 * The environment variable that maps tickets to the points at which their calls are suspended. It is a JSON object such
 * as `{"ticket-1":"before model 2"}`.
 */
export const holdsVariable = "PARLEY_TEST_HOLDS";

/** If set, claims last as long as in production. Otherwise, claims are short. */
export const usualClaimsVariable = "PARLEY_TEST_USUAL_CLAIMS";

/** Returns the line that a process prints when it suspends the call of a ticket. */
export function heldLine(ticket: string, pid: number): string {
  return `held ${ticket} in ${pid}\n`;
}

/** Returns the id of the process that printed this line, if any. */
export function heldIn(output: string, ticket: string): number | undefined {
  const [, pid] = new RegExp(`^held ${ticket} in (\\d+)$`, "m").exec(output) ?? [];
  return pid === undefined ? undefined : Number(pid);
}
