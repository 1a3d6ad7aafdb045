import type { AppError } from "../../errors.ts";
import type { Dialect } from "./dialect.ts";
import type { FlowParts } from "./document.ts";

type Checked = {
  readonly dialect: Dialect;
  /** Whether duplicate ids were repaired before the check. If so, the flow itself may contain duplicates. */
  readonly isRepaired: boolean;
  readonly error: AppError | undefined;
};

const checked = new WeakMap<object, Checked>();

/** Records the outcome of a check that a thread made. `wasChecked` finds it by the identity of the flow object. */
export function noteChecked(flow: object, outcome: Checked): void {
  checked.set(flow, outcome);
}

/**
 * Returns whether a flow was already checked with the same options and is valid. Throws the error if this check failed.
 */
export function wasChecked(flow: unknown, { dialect, isRepaired }: Omit<Checked, "error">): flow is FlowParts {
  const known = typeof flow === "object" && flow !== null ? checked.get(flow) : undefined;
  if (known?.dialect !== dialect || known.isRepaired !== isRepaired) return false;
  if (known.error) throw known.error;
  return true;
}
