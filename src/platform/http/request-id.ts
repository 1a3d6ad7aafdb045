import { limits } from "../../limits/index.ts";

const sane = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.request.idCharacters}}$`);

/**
 * The id of a request in responses and logs: the caller's `X-Request-Id` if it is a plain word, otherwise a new one.
 */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && sane.test(given) ? given : crypto.randomUUID();
}
