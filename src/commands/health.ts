import type { AddCommand } from "./command.ts";

const failed = 1;
/**
 * The time limit for the response. The service's own readiness check waits less than this for the database and the
 * threads, so the service can report a failure itself.
 */
const answerMs = 10_000;

export const addHealth: AddCommand = (program, { environment, print, tell, setExitCode }) => {
  program
    .command("health")
    .description("Check whether the service on this machine is running, for health checks of containers.")
    .option("--ready", "check whether it can serve requests: database and threads work, and it is not stopping")
    .addHelpText("after", "\nThe exit code is 1 if the service does not respond, or is not healthy.")
    .action(async ({ ready }: { readonly ready?: true }) => {
      const { ConfigError, readConfig } = await import("../config.ts");
      const { localAddress } = await import("../management/access/builder-place.ts");
      const config = readConfig(environment);
      if (config.PORT === 0) throw new ConfigError("PORT must be the port of the running service, not 0.");
      const address = `${localAddress(config.HOST, config.PORT)}${ready ? "/api/readyz" : "/api/healthz"}`;
      const answer = await fetch(address, { signal: AbortSignal.timeout(answerMs) }).catch((error: Error) => error);
      if (answer instanceof Error) {
        tell(`No service responds at ${address}: ${answer.message}`);
        setExitCode(failed);
        return;
      }
      const body = await answer.text();
      if (answer.ok) return print(`${body}\n`);
      tell(`${address} answers ${answer.status}: ${body}`);
      setExitCode(failed);
    });
};
