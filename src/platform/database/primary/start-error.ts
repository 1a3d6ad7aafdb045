import postgres from "postgres";
import { StartError } from "../../../config.ts";
import { outageOf } from "./outage.ts";

/** SQLSTATEs for a missing table, column or function. */
const missing: readonly string[] = ["42P01", "42703", "42883"];

/** A database as it is named to the operator. */
export type NamedDatabase = {
  /** The server's name, for example `the embedded database in DATA_DIR /data`. It never contains a password. */
  readonly name: string;
  /** The path of the embedded database's log, which is not in the settings. */
  readonly log?: string;
};

/**
 * Converts an error of the database during startup or a command to a message for the operator. Other errors are
 * returned unchanged.
 */
export function asStartError(error: unknown, database?: NamedDatabase): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const outage = outageOf(error);
  if (outage) {
    const advice = database?.log === undefined ? outage.advice : `Check its log, ${database.log}.`;
    const place = database === undefined ? "" : ` It is ${database.name}.`;
    return new StartError(`The database cannot be used: ${outage.says} (${error.message}). ${advice}${place}`, {
      cause: error,
    });
  }
  if (!(error instanceof postgres.PostgresError)) return error;
  const hint = missing.includes(error.code) ? ' Run "migrate" first.' : "";
  return new StartError(`The database refused: ${error.message}.${hint}`, { cause: error });
}
