import type { CallFailure } from "../../core/interpreter/program/call.ts";

/** `isDoubtful`: the call may have had its effect all the same. */
export type GoogleFailure = CallFailure & { readonly isDoubtful?: true };

/** Calls to Google in the name of one account. */
export type GoogleSession = {
  /** The account's e-mail address, for people who share a file with it. */
  readonly address: string;
  /** Whether another try makes sense within the time. */
  hasTimeFor(ms: number): boolean;
  call(request: AccountRequest): Promise<{ readonly body: unknown } | { readonly failure: GoogleFailure }>;
};

export type AccountRequest = {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body?: unknown;
  /** Whether the request may be repeated after an answer that leaves its outcome open. */
  readonly isRepeatable: boolean;
};
