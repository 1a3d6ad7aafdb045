import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SessionState, StepReply } from "../../core/interpreter/program/state.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import type { DueRow } from "./due-steps.sql.ts";

/** A kind of step that runs without a request. */
export type DueKind = {
  /**
   * Returns the reply with which the step runs, or null if it runs without a reply. The reply is stored in
   * `steps.reply`.
   */
  reply(row: DueRow): StepReply | null;
  /** The block to which the step's call belongs, if the step is caused by a call. */
  called?(row: DueRow): string;
  /** Whether a session in this state still waits for the row. */
  isAwaited(row: DueRow, state: SessionState): boolean;
  /** The key and hash of the request that the step answers. If absent or undefined, the row has its own key. */
  keyed?(row: DueRow): { readonly key: string; readonly hash: string } | undefined;
  /**
   * Performs the action of a row that is not a step. Returns undefined for a row that is a step. The promise resolves
   * to the seconds until the next action, or to undefined if none follows.
   */
  act?(deps: ChatDependencies, row: DueRow): Promise<number | undefined> | undefined;
  /**
   * How long a row waits for the chat to reach its block. If absent, a row without `isPatient` is dropped when the chat
   * is at another block.
   */
  readonly triedSeconds?: number;
  /**
   * The row waits as long as its chat exists, because the chat may be reopened after its end. A step that reaches the
   * row's block wakes the row.
   */
  readonly isPatient?: true;
  /**
   * Passes a row to another chat if its own chat has ended or has not reached the block in time. Returns whether
   * another chat ran the row's step, in this call or before a crash. Without `mayTake`, only checks for an earlier run.
   */
  offer?(deps: ChatDependencies, row: DueRow, options: { readonly mayTake: boolean }): Promise<boolean>;
  /** The log entry of the result for a row that is dropped without a step. */
  dropped?(row: DueRow): StepLog;
  /** Called before a row is deleted because no chat waits for it or its step has already run. */
  gone?(deps: Pick<ChatDependencies, "sql">, row: DueRow): Promise<void>;
};

/** Returns the key of a row's step if no original request supplies a key. */
export function ownKeyOf({ id }: DueRow): string {
  return `due ${id}`;
}
