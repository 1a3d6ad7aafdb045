import postgres from "postgres";

/**
 * An error as the database gives it with a SQLSTATE, the driver with a word of its own, or the socket to the database
 * with a code of the system.
 */
export function databaseError(code: string, { message = code, severity = "ERROR" } = {}): Error {
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    // The driver makes it of the fields that the server sends; its type says otherwise.
    const error: Error = Reflect.construct(postgres.PostgresError, [{ message, code, severity }]);
    return error;
  }
  const error = Object.assign(new Error(message), { code });
  return /^E[A-Z]|CERT/.test(code) ? Object.assign(error, { isConnectionLost: true }) : error;
}
