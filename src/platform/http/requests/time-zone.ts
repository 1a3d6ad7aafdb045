export const timeZoneProblem = 'must be a time zone of the IANA database, such as "Europe/Paris"';

/**
 * Whether the text is an IANA name of a time zone. JavaScript and PostgreSQL interpret other names of time zones
 * differently.
 */
export function isTimeZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}
