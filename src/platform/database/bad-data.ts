import postgres from "postgres";

/** Whether the database refused a statement because of its values: they have another type, or break a rule of the table. */
export function isBadData(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError && /^2[23]/.test(error.code);
}
