import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SessionState, StepReply } from "../../core/interpreter/program/state.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import type { DueRow } from "./due-steps.sql.ts";

/** A kind of steps that no request takes. */
export type DueKind = {
  /** The reply that the step begins with, kept in `steps.reply`. */
  reply(row: DueRow): StepReply | null;
  /** The block that it is for, if it is a call from outside. */
  called?(row: DueRow): string;
  /** Whether a session in this state still waits for the row. Otherwise the row goes. */
  isAwaited(row: DueRow, state: SessionState): boolean;
  /** The key and the hash of the request that the step answers; absent: a key of its own. */
  keyed?(row: DueRow): { readonly key: string; readonly hash: string } | undefined;
  /**
   * For a row that is not a step itself: does what it is for. Seconds until it is done again; undefined if it is done
   * with.
   */
  act?(deps: ChatDependencies, row: DueRow): Promise<number | undefined> | undefined;
  /** How long a row waits for the chat to come to its place; absent: a chat that is elsewhere has left it. */
  readonly triedSeconds?: number;
  /** It waits as long as its chat, which may be opened again after its end: a step that comes to its place wakes it. */
  readonly isPatient?: true;
  /**
   * Gives a row, whose chat has not come to its place in time or has ended, to another chat. Whether one took its step,
   * now or before a crash; without `mayTake` only before.
   */
  offer?(deps: ChatDependencies, row: DueRow, options: { readonly mayTake: boolean }): Promise<boolean>;
  /** The entry of the result's log for a row that is dropped before its step was taken. */
  dropped?(row: DueRow): StepLog;
  /** Called before a row goes because no chat waits for it. */
  gone?(deps: Pick<ChatDependencies, "sql">, row: DueRow): Promise<void>;
};

/** The key of a row's step where the request that it answers had none. */
export function ownKeyOf({ id }: DueRow): string {
  return `due ${id}`;
}
