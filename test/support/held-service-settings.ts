/** JSON: the places where calls are held, by ticket, such as `{"ticket-1":"before model 2"}`. */
export const holdsVariable = "PARLEY_TEST_HOLDS";

/** With any value claims last as long as in production. Otherwise they are short. */
export const usualClaimsVariable = "PARLEY_TEST_USUAL_CLAIMS";

/** The line that a process prints when it holds the call of a ticket. */
export function heldLine(ticket: string, pid: number): string {
  return `held ${ticket} in ${pid}\n`;
}

/** The process that has printed this line, if any. */
export function heldIn(output: string, ticket: string): number | undefined {
  const [, pid] = new RegExp(`^held ${ticket} in (\\d+)$`, "m").exec(output) ?? [];
  return pid === undefined ? undefined : Number(pid);
}
