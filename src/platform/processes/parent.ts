/**
 * The environment variable of a service that must end together with its parent process, as signalled by the IPC
 * channel.
 */
export const endsWithParentVariable = "PARLEY_ENDS_WITH_PARENT";

/**
 * If the environment variable is set, stops this process, as Ctrl-C would, when its parent process has ended, even if
 * the parent was killed.
 */
export function endWithParent(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment[endsWithParentVariable] !== "1") return;
  const end = (): void => void process.kill(process.pid, "SIGINT");
  if (process.connected) process.once("disconnect", end);
  else end();
}
