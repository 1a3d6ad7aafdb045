/**
 * What can end the running of a step early, on one screen. None of these reaches a caller: whoever catches one tries the step
 * again or answers with an `AppError`. A wrong reply of the visitor is no error at all, but an outcome of its block.
 *
 * | Error         | Thrown by                                     | Caught by                                              |
 * | ------------- | --------------------------------------------- | ------------------------------------------------------ |
 * | `StepRefused` | `interpreter/`                                | `interpreter/advance.ts`, `threads/think.ts`: an answer |
 * | `StepTooLong` | `interpreter/budget.ts`, the inline runner    | `threads/think.ts`: the step is run again elsewhere    |
 * | `ThreadLost`  | `threads/pool.ts`                             | `threads/batches.ts`: the steps go to another thread   |
 * | `Diverted`    | `threads/batches.ts`                          | `threads/threads.ts`: the step goes to the other pool  |
 * | `LostRace`    | `chat/`, when a claim or a save finds a newer | `chat/`: the step begins again with a read             |
 * | `StaleBot`    | `chat/start-chat.ts`                          | `chat/start-chat.ts`: the bot is read                  |
 */

/** The step does more than a step may, or asks for what the flow does not have. The session stays where it was. */
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
  | "command.not_found";

/** The step costs more than it may where it runs. Nothing is wrong with it: with all of its budget it runs elsewhere. */
export class StepTooLong extends Error {
  override readonly name = "StepTooLong";
}

/** A thread ended by itself while it had steps. Nothing is lost with it: they can run again. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** The step waits at a pool that no longer takes its bot's steps. */
export class Diverted extends Error {
  override readonly name = "Diverted";
}

/** Somebody else saved or claimed this step first. */
export class LostRace extends Error {
  override readonly name = "LostRace";
}

/** A start with a cached bot needs the bot as it stands in the database. */
export class StaleBot extends Error {
  override readonly name = "StaleBot";
  /** `changed`: the bot, or who holds the start's key, is not what the cache had. `performs`: before an effect the bot must be read. */
  readonly reason: "changed" | "performs";

  constructor(reason: "changed" | "performs") {
    super(reason);
    this.reason = reason;
  }
}
