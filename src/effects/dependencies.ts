import type { Storage } from "../platform/storage/storage.ts";
import type { Google } from "./google/google.ts";
import type { Mailer } from "./mail/email.ts";
import type { ModelMetrics } from "./models/model-metrics.ts";
import type { Providers } from "./providers/provider-urls.ts";
import type { HopsCodec } from "./safe-fetch/hops.ts";
import type { OutgoingMetrics } from "./safe-fetch/outgoing-metrics.ts";
import type { SafeFetch } from "./safe-fetch/safe-fetch.ts";
import type { SafeStream } from "./safe-fetch/safe-fetch-stream.ts";

/** The dependencies for outgoing calls, mails and files. */
export type OutgoingDependencies = {
  /** Performs outgoing HTTP calls and returns complete responses. */
  readonly safeFetch: SafeFetch;
  /** Performs long-polling calls for messenger updates, which have a separate connection limit. */
  readonly pollFetch: SafeFetch;
  /** Performs calls with streamed responses. */
  readonly safeStream: SafeStream;
  readonly outgoingMetrics: OutgoingMetrics;
  readonly providers: Providers;
  readonly google: Google;
  readonly modelMetrics: ModelMetrics;
  /**
   * Writes and reads the headers that count the calls between chats. `safeFetch` and `safeStream` write these headers.
   */
  readonly hops: HopsCodec;
  /** Sends mails through the operator's mail server. */
  readonly mailer: Mailer;
  readonly storage: Storage;
};
