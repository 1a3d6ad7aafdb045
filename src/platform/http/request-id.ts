import { limits } from "../../limits/index.ts";

const sane = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.request.idCharacters}}$`);

/** The id that a request is known by in answers and logs: the caller's `X-Request-Id` when it is a plain word, else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && sane.test(given) ? given : crypto.randomUUID();
}
