import type { CallFailure } from "../../core/interpreter/program/call.ts";

/** The failure of a call. `isDoubtful`: whether the call may have taken effect despite the failure. */
export type GoogleFailure = CallFailure & { readonly isDoubtful?: true };

/** Calls to Google on behalf of one account. */
export type GoogleSession = {
  /** The account's e-mail address, with which people share files. */
  readonly address: string;
  /**
   * Whether more than `ms` remain and the step has not lost its claim. After a lost claim, no further request is
   * allowed.
   */
  hasTimeFor(ms: number): boolean;
  call(request: AccountRequest): Promise<{ readonly body: unknown } | { readonly failure: GoogleFailure }>;
};

export type AccountRequest = {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body?: unknown;
  /** Whether the request may be repeated if its outcome is unknown. */
  readonly isRepeatable: boolean;
};
