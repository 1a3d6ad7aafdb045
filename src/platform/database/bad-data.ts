import postgres from "postgres";

/** Whether the database refused a statement for what it was given: values that are none of their type, or break a rule of the table. */
export function isBadData(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError && /^2[23]/.test(error.code);
}
