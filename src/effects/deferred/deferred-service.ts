import type { CredentialsData } from "../../core/credentials/kind.ts";
import type { FailureReason } from "../../core/interpreter/program/outcome.ts";
import type { Google } from "../google/google.ts";
import type { Providers } from "../providers/provider-urls.ts";
import type { SafeFetch } from "../safe-fetch/safe-fetch.ts";

/**
 * A service that is called after the step, possibly more than once for the same call. Steps store the calls as jobs
 * (`core/interpreter/program/job.ts`).
 */
export type DeferredService = {
  /** The type of the service's credentials. */
  readonly type: string;
  /** The context of the service's log entries. */
  readonly context: string;
  /**
   * Makes calls that use the same credentials and returns their outcomes in the order of `calls`. Failures of the
   * service are never thrown.
   */
  deliver(calls: readonly WaitingCall[], world: DeferredWorld): Promise<readonly CallEnd[]>;
};

/**
 * A queued call. The id of the call is the same in each attempt. Services that can detect duplicates receive the id.
 */
export type WaitingCall = {
  readonly id: string;
  readonly content: unknown;
  /** Whether an earlier attempt failed or its process died, so that the call may already have been made. */
  readonly isRepeated: boolean;
};

export type DeferredWorld = {
  readonly safeFetch: SafeFetch;
  readonly providers: Providers;
  readonly google: Google;
  readonly workspaceId: string;
  readonly credentialsId: string;
  readonly credentials: CredentialsData;
};

export type CallEnd =
  | { readonly kind: "sent"; readonly description: string }
  /** A failed call. The reason contains no key. `isRetryable`: whether the service may accept the same call later. */
  | {
      readonly kind: "failed";
      readonly description: string;
      readonly reason: string;
      readonly isRetryable: boolean;
      readonly failure: FailureReason;
    };
