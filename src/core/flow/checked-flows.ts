import type { AppError } from "../../errors.ts";
import type { Dialect } from "./dialect.ts";
import type { FlowParts } from "./document.ts";

type Checked = {
  readonly dialect: Dialect;
  /** Whether repeated ids were repaired first, so that the flow may have some. */
  readonly isRepaired: boolean;
  readonly error: AppError | undefined;
};

const checked = new WeakMap<object, Checked>();

/**
 * Records that a thread checked a flow in this dialect, and the fault that the thread found. A request's content is
 * never modified.
 */
export function noteChecked(flow: object, outcome: Checked): void {
  checked.set(flow, outcome);
}

/** Whether a flow was already checked in this way, without a fault. Throws the fault that was found. */
export function wasChecked(flow: unknown, { dialect, isRepaired }: Omit<Checked, "error">): flow is FlowParts {
  const known = typeof flow === "object" && flow !== null ? checked.get(flow) : undefined;
  if (known?.dialect !== dialect || known.isRepaired !== isRepaired) return false;
  if (known.error) throw known.error;
  return true;
}
