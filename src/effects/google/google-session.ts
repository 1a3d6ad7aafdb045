import type { CallFailure } from "../../core/interpreter/program/call.ts";

/** `isDoubtful`: it may have been done all the same. */
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
  /** Whether it may be sent again after an answer that leaves open what became of it. */
  readonly isRepeatable: boolean;
};
