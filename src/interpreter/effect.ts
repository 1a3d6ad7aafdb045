import type { FetchInit, RecordedFetch } from "./script.ts";

/**
 * What a block wants done in the world, as data. The service performs it and comes back with a report. Kinds are added
 * with the blocks that need them; each has one file in `src/effects`.
 */
export type Effect =
  /** The conversation so far, as the `Transcript` preset prints it. Reads the session's steps. */
  | { readonly kind: "transcript"; readonly visitor: string | null; readonly messages: readonly unknown[] }
  /** A call that a script of the author makes: the script gets the body as text, whatever the status. */
  | { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit };

/** What came of an effect. A failed call is a report too, and so is an effect that this session may not have. */
export type Report =
  | { readonly kind: "transcript"; readonly text: string }
  | { readonly kind: "fetch"; readonly answer: RecordedFetch }
  | { readonly kind: "refused"; readonly reason: string };
