import postgres from "postgres";
import { StartError } from "../../config.ts";
import { isOutage } from "./outage.ts";

const missingTable = "42P01";

/** What the operator should read when the database refuses what a start or a command needs; other errors as they are. */
export function asStartError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  if (isOutage(error)) return new StartError(`The database does not answer: ${error.message}.`, { cause: error });
  if (!(error instanceof postgres.PostgresError)) return error;
  const hint = error.code === missingTable ? ' Run "migrate" first.' : "";
  return new StartError(`The database refused: ${error.message}.${hint}`, { cause: error });
}
