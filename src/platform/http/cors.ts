/**
 * Headers that let a page of any origin read an answer of a chat endpoint, including an error. The star is enough
 * because no credentials are sent; `settings.security.allowedOrigins` decides whether an origin may chat with a bot,
 * and services check it.
 */
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Request-Id, Retry-After, Idempotency-Replayed, Parley-Ignored, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset",
} as const;

/** Headers of the answer (204) to a preflight for a path that supports these methods. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    ...corsHeaders,
    "Access-Control-Allow-Methods": methods.join(", "),
    // `authorization` is for previews with a token; it has to be named even in addition to a star.
    "Access-Control-Allow-Headers":
      "authorization, cache-control, content-type, idempotency-key, last-event-id, prefer, traceparent, tracestate, x-request-id, x-parley-iframe-referrer-origin, x-parley-page, x-typebot-iframe-referrer-origin",
    // Each session has its own address, so the first message of every chat sends a preflight; browsers cache it for
    // less than a day.
    "Access-Control-Max-Age": "86400",
  };
}
