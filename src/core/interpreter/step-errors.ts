/**
 * Every error that can end the running of a step early, on one screen. None of these reaches a caller: the code that
 * catches one tries the step again or answers with an `AppError`. A wrong reply of the visitor is not an error, but an
 * outcome of its block.
 *
 * | Error | Thrown by | Caught by |
 * | ------------- | --------------------------------------------- |
 *   ------------------------------------------------------ |
 * | `StepRefused` | `core/interpreter/` | `advance`, `runTask`: it becomes an answer |
 * | `StepTooLong` | `core/tasks/meter.ts`, the inline runner | `runTask`: it becomes `tooLong`, and runs elsewhere |
 * | `ThreadLost` | `chat/threads/pool.ts` | `chat/threads/threads.ts`: the steps go to another thread |
 * | `NeedsRead` | `chat/steps/step-effects.ts` | `chat/steps/take-step.ts`: the session is read |
 * | `LostRace` | `chat/steps/claims.ts`, `go-back.ts`, `run-and-save.ts` | `chat/steps/take-step.ts`: the step begins
 *   again with a read |
 */

/** The step exceeds its budget, or requests a part that the flow does not have. The session does not change. */
export class StepRefused extends Error {
  override readonly name = "StepRefused";
  readonly code: RefusalCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: RefusalCode, data: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

export type RefusalCode =
  | "step.over_budget"
  | "flow.start_group_not_found"
  | "flow.start_event_not_found"
  | "flow.start_block_not_found"
  | "session.variable_not_found"
  | "command.not_found";

/**
 * The step costs more than the limit of the place where it runs. The step itself is valid: it runs elsewhere with its
 * whole budget.
 */
export class StepTooLong extends Error {
  override readonly name = "StepTooLong";
}

/** A thread ended unexpectedly while it had steps. No data is lost: the steps can run again. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** The session is cached, and its step needs an effect: the session must be read first. */
export class NeedsRead extends Error {
  override readonly name = "NeedsRead";
}

/** Another step was saved or claimed first, or this step began from an outdated state. */
export class LostRace extends Error {
  override readonly name = "LostRace";
}
