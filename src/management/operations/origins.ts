import type { Origins } from "../access/origins.ts";

/** Returns the origins in a request's headers. The client itself reports the page around a frame. */
export function originsOf(headers: Headers): Origins {
  return {
    origin: headers.get("origin"),
    framedBy: headers.get("x-parley-iframe-referrer-origin") ?? headers.get("x-typebot-iframe-referrer-origin"),
    host: headers.get("host"),
    word: headers.get("x-parley-page"),
  };
}
