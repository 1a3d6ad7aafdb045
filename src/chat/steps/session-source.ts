import { textAt } from "../../core/interpreter/flow.ts";
import type { ChatContact } from "../../core/interpreter/program/contact.ts";
import type { Report } from "../../core/interpreter/program/effect.ts";
import type { Sender, StepReply } from "../../core/interpreter/program/state.ts";
import type { ContentFormat } from "../../core/interpreter/program/view.ts";
import { isDue } from "../../core/interpreter/step/reply.ts";
import type { AdvanceTask } from "../../core/tasks/messages.ts";
import type { Hops } from "../../effects/safe-fetch/hops.ts";
import type { Origins } from "../../management/access/origins.ts";
import { newId } from "../../platform/ids.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { StepToSave } from "../saves/records.ts";
import type { StepReader } from "./answers-under-way.ts";
import type { ClaimStatements } from "./claims.ts";
import type { SuppliedFlow, WantedEffect } from "./run-step.ts";

/** The input of a step, independent of the session's kind. */
export type StepRequest = {
  readonly reply: StepReply | null;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  /** A hash of the request's content. */
  readonly hash: string;
  readonly origins: Origins;
  /** The number of chats that called each other up to this request. */
  readonly hops: Hops;
  /** Receives the progress of the step. */
  readonly reader?: StepReader | undefined;
  /** The number of the last step that the client knows: the request is refused if another step followed. */
  readonly afterRevision?: number | undefined;
  readonly sender?: Sender | undefined;
  /** The row of `due_steps` that this step takes, and which the save removes. */
  readonly dueId?: string;
  /** The facts of the messenger's contact who wrote the request. Absent: those of the step before are used, if any. */
  readonly contact?: ChatContact | undefined;
  /** The block that a call from outside is for, if the reply is one. */
  readonly called?: string | undefined;
  /** Prevents repeating the random values of an undone reply. */
  readonly drawsAnew?: true;
};

/** A session that a step can be taken in: a stored one, or a new one of revision 0 that its first step stores. */
export type LoadedSession = {
  readonly session: Session;
  /** Whether the session comes from this process's cache. If so, the save checks that it is still current. */
  readonly isCached: boolean;
  /** The flow version that the session moves to with this step. */
  readonly moved?: { readonly flowHash: string; readonly number: number; readonly from: string };
  /** The clock and seed of a first step that its page has shown. */
  readonly shownWith?: { readonly now: Date; readonly seed: string } | undefined;
};

/** The difference between steps of stored sessions (`continue-chat.ts`) and first steps (`new-session.ts`). */
export type SessionSource<Found extends LoadedSession> = {
  /** This process takes steps with the same key one at a time. Null when no other request can ask for this step. */
  readonly limiterKey: string | null;
  /** The session's flow, if this step's save stores it. */
  readonly suppliedFlow?: SuppliedFlow;
  /**
   * The session, with its claim and the stored response for this request; synchronous if it is cached. Throws when
   * there is no such session.
   */
  find(options: { mayBeCached: boolean }): Found | Promise<Found>;
  /** The interpreter's input for this reply. */
  taskFor(found: Found, reply: StepReply | null): Pick<AdvanceTask, "input" | "envelope">;
  /** An effect that precedes the step, which uses its report; throws if the report forbids the step. Absent: none. */
  readonly before?: {
    effectFor(found: Found): WantedBefore | undefined;
    take(report: Report): void;
  };
  claimStatements(found: Found, attempt: StepAttempt): ClaimStatements;
  /**
   * Whether the step was saved: false when its basis changed (a step, a claim, an expiry, a new endpoint). `isInDoubt`:
   * an earlier attempt may have saved it.
   */
  save(found: Found, step: StepToSave, options: { seed: string; isInDoubt: boolean }): Promise<boolean>;
  /** Whether the step's own row exists, even if later steps followed. */
  isSaved(step: StepToSave): Promise<boolean>;
};

export type WantedBefore = Pick<WantedEffect, "effect" | "blockId">;

/** The clock and seed that make a retry after a crash produce the same step, and the id of its claim. */
export type StepAttempt = {
  readonly stepId: string;
  readonly requestHash: string;
  readonly now: Date;
  /**
   * When this attempt began, if an earlier attempt claimed the step or its page has shown it: the time of its question
   * does not count from the earlier attempt.
   */
  readonly askedAt: Date | undefined;
  readonly seed: string;
};

export function attemptOf(found: Attempted, request: SeededRequest): StepAttempt {
  return { stepId: newId(), requestHash: request.hash, ...chanceOf(found, request) };
}

type Attempted = Pick<LoadedSession, "session" | "shownWith">;
type SeededRequest = Pick<StepRequest, "hash" | "reply" | "drawsAnew">;
type Chance = Pick<StepAttempt, "now" | "askedAt" | "seed">;

function chanceOf(found: Attempted, request: SeededRequest): Chance {
  const before = begunBefore(found, request);
  return before ? chanceAgain(before, found.session) : newChance(found.session, request);
}

function chanceAgain(before: Pick<Chance, "now" | "seed">, { now }: Session): Chance {
  return { now: before.now, askedAt: now, seed: before.seed };
}

function newChance(session: Session, request: SeededRequest): Chance {
  return { now: session.now, askedAt: undefined, seed: seedOf(session, request) };
}

/**
 * A request that was claimed before and did not finish runs with the same clock and seed, and a first step with the
 * ones that its page was shown.
 */
function begunBefore({ session: { claim }, shownWith }: Attempted, { hash }: SeededRequest) {
  return claim?.requestHash === hash ? claim : shownWith;
}

function seedOf({ state }: Session, request: SeededRequest): string {
  const wentBack = state.includes('"nextSeed":"');
  return (wentBack ? seedAgain(state, request) : undefined) ?? newSeed();
}

/**
 * The seed of an undone reply to the same question (`core/interpreter/step/seeds.ts`): a visitor who changes an answer
 * gets the same random values and the same path of an A/B test. Commands and expired times take other paths.
 */
function seedAgain(state: string, { reply, drawsAnew }: SeededRequest): string | undefined {
  if (drawsAnew || (reply && (isDue(reply) || reply.type === "command"))) return undefined;
  return textAt(JSON.parse(state), "nextSeed");
}

/** Whether this request was claimed before. */
export function isSameRequest({ claim }: Session, { hash }: { readonly hash: string }): boolean {
  return claim?.requestHash === hash;
}

/** 128 bits of secure randomness as 32 hexadecimal digits. */
export function newSeed(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}
