import { StartError } from "../config.ts";
import { AppError } from "../errors.ts";
import { createLog } from "../platform/observing/log.ts";
import { endWithParent } from "../platform/processes/parent.ts";
import type { AddCommand } from "./command.ts";

const failed = 1;

export const addServe: AddCommand = (program, { environment, setExitCode }) => {
  program
    .command("serve")
    .description("Start the service (the default).")
    .action(async () => {
      endWithParent(environment);
      reportAsLines();
      try {
        const { serve } = await import("../service/main.ts");
        setExitCode(await serve(environment));
      } catch (error) {
        reportEnd(error);
        setExitCode(failed);
      }
    });
};

/** Logs why a service ends, at every LOG_LEVEL. */
const log = createLog("error");

function reportEnd(error: unknown): void {
  if (error instanceof StartError || error instanceof AppError) log.error(error.message);
  else log.error("Parley ends because of an error", { error });
}

/**
 * Collectors of logs read stderr line by line as JSON, so messages that the runtime would print as text are also lines
 * of the log (1.4.4: unhandled rejections, and warnings with the advice to start Bun otherwise). After an unhandled
 * error the process ends, as it does without this.
 */
function reportAsLines(): void {
  const end = (error: unknown): void => {
    reportEnd(error);
    process.exit(failed);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
  process.emitWarning = (warning: string | Error): void =>
    createLog("warn").warn(warning instanceof Error ? warning.message : warning);
}
