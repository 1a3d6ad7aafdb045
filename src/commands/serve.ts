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

/** Logs the reason why a service ends, at every LOG_LEVEL. */
const log = createLog("error");

function reportEnd(error: unknown): void {
  if (error instanceof StartError || error instanceof AppError) log.error(error.message);
  else log.error("Parley ends because of an error", { error });
}

/**
 * Log collectors read stderr line by line as JSON, so the messages that the runtime would print as text are logged as
 * JSON. In Bun 1.4.4 these are unhandled rejections and warnings that recommend other options of Bun. An unhandled
 * error still ends the process.
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
