/** The step does more than a step may, or asks for what the flow does not have: the session stays where it was. */
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

/** The step spends more than this visit may: nothing is wrong with it, and it may be thought through elsewhere. */
export class StepTooLong extends Error {
  override readonly name = "StepTooLong";
}

export type RefusalCode =
  | "step.over_budget"
  | "flow.start_group_not_found"
  | "flow.start_event_not_found"
  | "command.not_found";
