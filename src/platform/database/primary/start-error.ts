import postgres from "postgres";
import { StartError } from "../../../config.ts";
import { outageOf } from "./outage.ts";

const missingTable = "42P01";

/** The message for the operator if the database refuses something that a start or a command needs; other errors as they are. */
export function asStartError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const outage = outageOf(error);
  if (outage) {
    return new StartError(`The database cannot be used: ${outage.says} (${error.message}). ${outage.advice}`, {
      cause: error,
    });
  }
  if (!(error instanceof postgres.PostgresError)) return error;
  const hint = error.code === missingTable ? ' Run "migrate" first.' : "";
  return new StartError(`The database refused: ${error.message}.${hint}`, { cause: error });
}
