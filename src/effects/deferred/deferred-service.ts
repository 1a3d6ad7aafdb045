import type { CredentialsData } from "../../core/credentials/kind.ts";
import type { FailureReason } from "../../core/interpreter/program/outcome.ts";
import type { Google } from "../google/google.ts";
import type { Providers } from "../providers/provider-urls.ts";
import type { SafeFetch } from "../safe-fetch/safe-fetch.ts";

/**
 * A service that takes calls after their steps, at least once each. A step leaves them as jobs
 * (`core/interpreter/program/job.ts`).
 */
export type DeferredService = {
  /** The type of its credentials. */
  readonly type: string;
  /** The context of its entries in logs. */
  readonly context: string;
  /**
   * Makes calls with the same credentials, in their order, and returns the outcome of each. Throws nothing that a
   * service can cause.
   */
  deliver(calls: readonly WaitingCall[], world: DeferredWorld): Promise<readonly CallEnd[]>;
};

/**
 * A waiting call. Its id is the same at each attempt, and is sent to the service, which can recognise a repetition by
 * it.
 */
export type WaitingCall = {
  readonly id: string;
  readonly content: unknown;
  /** An earlier attempt ended, or its process died, and the call may have been made. */
  readonly isRepeated: boolean;
};

export type DeferredWorld = {
  readonly safeFetch: SafeFetch;
  readonly providers: Providers;
  /** Access tokens and titles of Google that this process keeps. */
  readonly google: Google;
  readonly workspaceId: string;
  readonly credentialsId: string;
  readonly credentials: CredentialsData;
};

export type CallEnd =
  | { readonly kind: "sent"; readonly description: string }
  /** The reason contains no key. `isRetryable`: the service may accept the same call later. */
  | {
      readonly kind: "failed";
      readonly description: string;
      readonly reason: string;
      readonly isRetryable: boolean;
      readonly failure: FailureReason;
    };
