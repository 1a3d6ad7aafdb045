import postgres from "postgres";
import { StartError } from "../../../config.ts";
import { outageOf } from "./outage.ts";

/** A missing table, column or function. */
const missing: readonly string[] = ["42P01", "42703", "42883"];

/** The operator's name for the database. */
export type NamedDatabase = {
  /** The server's name, for example `the embedded database in DATA_DIR /data`; it never contains a password. */
  readonly name: string;
  /** The log of the embedded database, which no setting names. */
  readonly log?: string;
};

/**
 * The message for the operator if the database refuses a request of a start or a command; other errors stay unchanged.
 */
export function asStartError(error: unknown, database?: NamedDatabase): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const outage = outageOf(error);
  if (outage) {
    const advice = database?.log === undefined ? outage.advice : `Look at its log, ${database.log}.`;
    const place = database === undefined ? "" : ` It is ${database.name}.`;
    return new StartError(`The database cannot be used: ${outage.says} (${error.message}). ${advice}${place}`, {
      cause: error,
    });
  }
  if (!(error instanceof postgres.PostgresError)) return error;
  const hint = missing.includes(error.code) ? ' Run "migrate" first.' : "";
  return new StartError(`The database refused: ${error.message}.${hint}`, { cause: error });
}
