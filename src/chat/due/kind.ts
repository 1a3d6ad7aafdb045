import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SessionState, StepReply } from "../../core/interpreter/program/state.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import type { DueRow } from "./due-steps.sql.ts";

/** A kind of steps that no request takes. */
export type DueKind = {
  /** The reply that the step begins with, kept in `steps.reply`. */
  reply(row: DueRow): StepReply | null;
  /** The block that the step is for, if it is a call from outside. */
  called?(row: DueRow): string;
  /** Whether a session in this state still waits for the row. Otherwise the row is removed. */
  isAwaited(row: DueRow, state: SessionState): boolean;
  /** The key and the hash of the request that the step answers; absent: a separate key. */
  keyed?(row: DueRow): { readonly key: string; readonly hash: string } | undefined;
  /**
   * For a row that is not a step: performs its action. Returns the seconds until the next one; undefined if none
   * follows.
   */
  act?(deps: ChatDependencies, row: DueRow): Promise<number | undefined> | undefined;
  /** How long a row waits for the chat to reach its block; absent: the row is dropped if the chat is elsewhere. */
  readonly triedSeconds?: number;
  /** The row waits as long as its chat, which may be reopened after its end: a step that reaches its block wakes it. */
  readonly isPatient?: true;
  /**
   * Gives a row to another chat, if its own chat has not reached the block in time or has ended. Returns whether a chat
   * took its step, in this call or before a crash; without `mayTake` only before.
   */
  offer?(deps: ChatDependencies, row: DueRow, options: { readonly mayTake: boolean }): Promise<boolean>;
  /** The entry of the result's log for a row that is dropped before its step was taken. */
  dropped?(row: DueRow): StepLog;
  /** Called before a row is removed because no chat waits for it. */
  gone?(deps: Pick<ChatDependencies, "sql">, row: DueRow): Promise<void>;
};

/** The key of a row's step when the answered request had no key. */
export function ownKeyOf({ id }: DueRow): string {
  return `due ${id}`;
}
