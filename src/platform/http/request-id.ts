import { limits } from "../../limits/index.ts";

const sane = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.request.idCharacters}}$`);

/**
 * Returns the id of a request for responses and logs: the client's `X-Request-Id` if it has a safe format, otherwise a
 * new id.
 */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && sane.test(given) ? given : crypto.randomUUID();
}
