import postgres from "postgres";

/** Creates an error with a SQLSTATE of the database, a code of the driver, or a system code of the socket. */
export function databaseError(code: string, { message = code, severity = "ERROR" } = {}): Error {
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    // The driver creates the error from the fields that the server sends, although its declared type differs.
    const error: Error = Reflect.construct(postgres.PostgresError, [{ message, code, severity }]);
    return error;
  }
  const error = Object.assign(new Error(message), { code });
  return /^E[A-Z]|CERT/.test(code) ? Object.assign(error, { isConnectionLost: true }) : error;
}
