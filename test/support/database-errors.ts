import postgres from "postgres";

/** An error with a SQLSTATE of the database, a code of the driver, or a code of the system for the socket. */
export function databaseError(code: string, { message = code, severity = "ERROR" } = {}): Error {
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    // The driver creates it from the fields that the server sends; its type is declared differently.
    const error: Error = Reflect.construct(postgres.PostgresError, [{ message, code, severity }]);
    return error;
  }
  const error = Object.assign(new Error(message), { code });
  return /^E[A-Z]|CERT/.test(code) ? Object.assign(error, { isConnectionLost: true }) : error;
}
