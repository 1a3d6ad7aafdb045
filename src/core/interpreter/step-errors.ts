/**
 * The errors that can end a step early. A wrong reply of the visitor is an outcome of its block and not an error.
 *
 * - `StepRefused` is thrown by `core/interpreter/`. `advance` and `runTask` catch it and return the refusal.
 * - `StepTooLong` is thrown by `core/tasks/meter.ts`, by `core/interpreter/step/step-view.ts`, and by
 *   `inline-runner.ts` and `lazy-sandbox.ts` in `chat/threads/`. `runTask` catches it and returns `tooLong`, after
 *   which the service runs the step again elsewhere.
 * - `ThreadLost` is thrown by `chat/threads/pool.ts`. `chat/threads/threads.ts` runs each lost step again separately,
 *   at most twice, before the request fails. For request bodies, `chat/threads/aside.ts` responds with
 *   `server.overloaded`.
 * - `NeedsRead` is thrown by `chat/steps/step-effects.ts`. `chat/steps/take-step.ts` catches it and reads the
 *   session.
 * - `LostRace` is thrown by `chat/go-back.ts` and by `claims.ts` and `run-and-save.ts` in `chat/steps/`.
 *   `chat/steps/take-step.ts` catches it, reads the session and starts the step again.
 */

/**
 * Thrown if a step exceeds its budget, or requests a part that does not exist in the flow. The session is not changed.
 */
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
 * Thrown if a step exceeds the quota of its meter. The step itself may be valid, and the service runs it again
 * elsewhere.
 */
export class StepTooLong extends Error {
  override readonly name = "StepTooLong";
}

/** Thrown if a thread ended unexpectedly while it was running steps. No data is lost, and the steps can run again. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** Thrown if a cached session's step needs an effect. The session must be read from the database first. */
export class NeedsRead extends Error {
  override readonly name = "NeedsRead";
}

/** Thrown if another step was saved or claimed first, or if the step started from an outdated state. */
export class LostRace extends Error {
  override readonly name = "LostRace";
}
