export const timeZoneProblem = 'must be a time zone of the IANA database, such as "Europe/Paris"';

/** IANA names only: JavaScript and PostgreSQL read other names of time zones differently. */
export function isTimeZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}
