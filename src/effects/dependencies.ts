import type { Storage } from "../platform/storage/storage.ts";
import type { Google } from "./google/google.ts";
import type { Mailer } from "./mail/email.ts";
import type { ModelMetrics } from "./models/model-metrics.ts";
import type { Providers } from "./providers/provider-urls.ts";
import type { HopsCodec } from "./safe-fetch/hops.ts";
import type { OutgoingMetrics } from "./safe-fetch/outgoing-metrics.ts";
import type { SafeFetch } from "./safe-fetch/safe-fetch.ts";
import type { SafeStream } from "./safe-fetch/safe-fetch-stream.ts";

/** The ways out: calls, mails and files. */
export type OutgoingDependencies = {
  /** Every outgoing call goes through this. */
  readonly safeFetch: SafeFetch;
  /** Calls that wait for news of messengers: these calls have places of their own. */
  readonly pollFetch: SafeFetch;
  /** Calls whose answers are read as they arrive. */
  readonly safeStream: SafeStream;
  readonly outgoingMetrics: OutgoingMetrics;
  /** The addresses of providers, and the counts of their calls. */
  readonly providers: Providers;
  /** Access tokens and titles of Google that this process keeps. */
  readonly google: Google;
  /** Counts calls of models. */
  readonly modelMetrics: ModelMetrics;
  /** The header of calls from chats: written by `safeFetch`, read where requests arrive. */
  readonly hops: HopsCodec;
  /** Sends mails that a request waits for; mails of flows are jobs. */
  readonly mailer: Mailer;
  /** The storage of visitors' files. */
  readonly storage: Storage;
};
