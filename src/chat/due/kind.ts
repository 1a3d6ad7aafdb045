import type { SessionState, StepReply } from "../../core/interpreter/program/state.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import type { DueRow } from "./due-steps.sql.ts";

/** A kind of steps that no request takes. */
export type DueKind = {
  /** The reply that the step begins with, kept in `steps.reply`. */
  reply(row: DueRow): StepReply;
  /** Whether a session in this state still waits for the row. Otherwise the row goes. */
  isAwaited(row: DueRow, state: SessionState): boolean;
  /** Called before a row goes because no chat waits for it. */
  gone?(deps: Pick<ChatDependencies, "sql">, row: DueRow): Promise<void>;
};
