import { newId } from "../../platform/ids.ts";
import type { Session } from "../reads/sessions.sql.ts";

/** The clock and seed that make a retry after a crash produce the same step, and the id of its claim. */
export type StepAttempt = {
  readonly stepId: string;
  readonly requestHash: string;
  readonly now: Date;
  readonly seed: string;
};

/** A request that was claimed before and did not finish runs with the same clock and seed. */
export function attemptOf({ claim, now }: Session, { hash }: { readonly hash: string }): StepAttempt {
  const before = claim?.requestHash === hash ? claim : undefined;
  return { stepId: newId(), requestHash: hash, now: before?.now ?? now, seed: before?.seed ?? newSeed() };
}

/** Whether this request was claimed before. */
export function isSameRequest({ claim }: Session, { hash }: { readonly hash: string }): boolean {
  return claim?.requestHash === hash;
}

/** 128 bits of secure randomness as 32 hexadecimal digits. */
export function newSeed(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}
