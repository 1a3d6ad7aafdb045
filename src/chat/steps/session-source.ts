import type { Reply } from "../../core/interpreter/program/state.ts";
import type { ContentFormat } from "../../core/interpreter/program/view.ts";
import type { AdvanceTask } from "../../core/tasks/messages.ts";
import type { Hops } from "../../effects/safe-fetch/hops.ts";
import type { Origins } from "../../management/access/origins.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { StepToSave } from "../saves/records.ts";
import type { StepReader } from "./answers-under-way.ts";
import type { ClaimStatements } from "./claims.ts";
import type { SuppliedFlow } from "./run-step.ts";
import type { StepAttempt } from "./step-attempt.ts";

/** What a step answers, whatever session it belongs to. */
export type StepRequest = {
  readonly reply: Reply | null;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  /** Names the request by its content. */
  readonly hash: string;
  readonly origins: Origins;
  /** Whether another chat makes this request. */
  readonly hops: Hops;
  /** Who hears of the step before its end. */
  readonly reader?: StepReader | undefined;
};

/** A session that a step can be taken in: one that is stored, or one of revision 0 that its first step stores. */
export type LoadedSession = {
  readonly session: Session;
  /** Whether it comes from what this process remembers. Then the save asks whether that still stands. */
  readonly isCached: boolean;
  /** The version that it moves to with this step. */
  readonly moved?: { readonly flowHash: string; readonly number: number; readonly from: string };
};

/** What differs between the steps of stored sessions (`continue-chat.ts`) and first steps (`new-session.ts`). */
export type SessionSource<Found extends LoadedSession> = {
  /** Steps with the same key are taken one at a time in this process. Null where nobody else can ask for this step. */
  readonly limiterKey: string | null;
  /** The session's flow, where this step's save stores it. */
  readonly suppliedFlow?: SuppliedFlow;
  /** The session, with the claim and the stored response that this request meets. Throws where there is none. */
  find(options: { mayBeCached: boolean }): Promise<Found>;
  /** What the interpreter is told besides its context. */
  taskFor(found: Found, reply: Reply | null): Pick<AdvanceTask, "input" | "envelope">;
  claimStatements(found: Found, attempt: StepAttempt): ClaimStatements;
  /** Whether the step was saved: false when what it began from holds no longer (a step, a claim, an expiry, a new endpoint). `isInDoubt`: an earlier try may have saved it. */
  save(found: Found, step: StepToSave, options: { seed: string; isInDoubt: boolean }): Promise<boolean>;
  /** Whether the step's own row is there, whatever came after it. */
  isSaved(step: StepToSave): Promise<boolean>;
};
