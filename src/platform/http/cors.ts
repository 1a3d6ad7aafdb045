/**
 * Headers that allow pages of any origin to read a response of a chat endpoint, including errors. The wildcard suffices
 * because no credentials are sent. Each endpoint checks `settings.security.allowedOrigins`, the origins that may chat
 * with a bot.
 */
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Request-Id, Retry-After, Idempotency-Replayed, Parley-Ignored, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset",
} as const;

/** Returns the headers of the response (204) to a preflight request for a path with these methods. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    ...corsHeaders,
    "Access-Control-Allow-Methods": methods.join(", "),
    // `authorization` is required for previews with a token. The wildcard does not cover it.
    "Access-Control-Allow-Headers":
      "authorization, cache-control, content-type, idempotency-key, last-event-id, prefer, traceparent, tracestate, x-request-id, x-parley-iframe-referrer-origin, x-parley-page, x-typebot-iframe-referrer-origin",
    // Each session has its own address, so the first message of every chat sends a preflight request. Browsers cache
    // the response for a day at most.
    "Access-Control-Max-Age": "86400",
  };
}
