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

/** The input of a step of any session. */
export type StepRequest = {
  readonly reply: StepReply | null;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  /** A hash of the request's content. */
  readonly hash: string;
  readonly origins: Origins;
  /** The chain of chats that called each other up to this request. */
  readonly hops: Hops;
  /** Receives the progress of the step. */
  readonly reader?: StepReader | undefined;
  /** The number of the last step that the client has received. The request is rejected if another step followed. */
  readonly afterRevision?: number | undefined;
  readonly sender?: Sender | undefined;
  /** The row of `due_steps` that caused this step. Saving the step deletes the row. */
  readonly dueId?: string;
  /**
   * The facts of the messenger contact who sent the request. If absent, the facts from the previous step are used, if
   * any.
   */
  readonly contact?: ChatContact | undefined;
  /** The block to which a call belongs, if the reply is a call. */
  readonly called?: string | undefined;
  /** Whether the step gets a new seed instead of the seed of an undone answer. */
  readonly drawsAnew?: true;
};

/** A session in which a step can run. It is either stored, or new with revision 0 and stored by its first step. */
export type LoadedSession = {
  readonly session: Session;
  /** Whether the session comes from this process' cache. If so, the save checks that it is still current. */
  readonly isCached: boolean;
  /** The flow version to which the session moves with this step. */
  readonly moved?: { readonly flowHash: string; readonly number: number; readonly from: string };
  /** The clock and seed of a first step that a page has already shown. */
  readonly shownWith?: { readonly now: Date; readonly seed: string } | undefined;
};

/** The part that differs between steps of stored sessions (`continue-chat.ts`) and first steps (`new-session.ts`). */
export type SessionSource<Found extends LoadedSession> = {
  /** The key under which this process runs steps one at a time. Null if no other request can ask for this step. */
  readonly limiterKey: string | null;
  /** The session's flow, if saving this step also stores the flow. */
  readonly suppliedFlow?: SuppliedFlow;
  /**
   * Finds the session, with its claim and the stored response for this request. Synchronous if the session is cached.
   * Throws if the session does not exist.
   */
  find(options: { mayBeCached: boolean }): Found | Promise<Found>;
  /** Returns the interpreter's input for this reply. */
  taskFor(found: Found, reply: StepReply | null): Pick<AdvanceTask, "input" | "envelope">;
  /**
   * An effect that must precede the step. `take` receives the effect's report, and throws if the report forbids the
   * step.
   */
  readonly before?: {
    effectFor(found: Found): WantedBefore | undefined;
    take(report: Report): void;
  };
  claimStatements(found: Found, attempt: StepAttempt): ClaimStatements;
  /**
   * Saves the step. Returns false if the step must run again, for example because another step was saved first.
   * `isInDoubt`: an earlier attempt may have saved the step.
   */
  save(found: Found, step: StepToSave, options: { isInDoubt: boolean }): Promise<boolean>;
  /** Whether the step's own row exists. Later steps may have followed. */
  isSaved(step: StepToSave): Promise<boolean>;
};

export type WantedBefore = Pick<WantedEffect, "effect" | "blockId">;

/** The id of a step's claim, and the clock and seed with which a retry after a crash produces the same step. */
export type StepAttempt = {
  readonly stepId: string;
  readonly requestHash: string;
  readonly now: Date;
  /**
   * The start of the time limit of the step's question, if an earlier attempt claimed the step or a page has shown the
   * step.
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
 * Returns the clock and seed to reuse, either from an unfinished claim of the same request or from the page that has
 * shown the first step.
 */
function begunBefore({ session: { claim }, shownWith }: Attempted, { hash }: SeededRequest) {
  return claim?.requestHash === hash ? claim : shownWith;
}

function seedOf({ state }: Session, request: SeededRequest): string {
  const wentBack = state.includes('"nextSeed":"');
  return (wentBack ? seedAgain(state, request) : undefined) ?? newSeed();
}

/**
 * Returns the seed of an undone reply to the same question, if any (`core/interpreter/step/seeds.ts`). A visitor who
 * changes an answer gets the same random values and the same path of an A/B test. Commands and expired time limits get
 * a new seed, because they follow other paths.
 */
function seedAgain(state: string, { reply, drawsAnew }: SeededRequest): string | undefined {
  if (drawsAnew || (reply && (isDue(reply) || reply.type === "command"))) return undefined;
  return textAt(JSON.parse(state), "nextSeed");
}

/** Whether a request with this content has claimed the session before. */
export function isSameRequest({ claim }: Session, { hash }: { readonly hash: string }): boolean {
  return claim?.requestHash === hash;
}

/** Returns 128 bits of secure randomness as 32 hexadecimal digits. */
export function newSeed(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}
