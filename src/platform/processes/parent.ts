/** Set for a service that must end with the program that started it, as signalled by its channel. */
export const endsWithParentVariable = "PARLEY_ENDS_WITH_PARENT";

/** Stops this process, as a Ctrl-C would, as soon as the program that started it has ended, even if it was killed. */
export function endWithParent(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment[endsWithParentVariable] !== "1") return;
  const end = (): void => void process.kill(process.pid, "SIGINT");
  if (process.connected) process.once("disconnect", end);
  else end();
}
