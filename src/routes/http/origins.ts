import type { Origins } from "../../services/origins.ts";

/** What a request's headers say of where it comes from: a frame's page is told by its client. */
export function originsOf(headers: Headers): Origins {
  return {
    origin: headers.get("origin"),
    framedBy: headers.get("x-parley-iframe-referrer-origin") ?? headers.get("x-typebot-iframe-referrer-origin"),
    host: headers.get("host"),
  };
}
