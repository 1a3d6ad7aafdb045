/**
 * The environment variable of a service that must end together with its parent process, as signalled by the IPC
 * channel.
 */
export const endsWithParentVariable = "PARLEY_ENDS_WITH_PARENT";

/**
 * Interrupts this process, as Ctrl-C would, once its parent process has ended or was killed. Does nothing unless the
 * environment variable is set.
 */
export function endWithParent(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment[endsWithParentVariable] !== "1") return;
  const end = (): void => void process.kill(process.pid, "SIGINT");
  if (process.connected) process.once("disconnect", end);
  else end();
}
