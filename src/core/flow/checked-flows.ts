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

/**
 * Records that a thread checked a flow in the given dialect, and the error that it found. The content of a request is
 * never modified.
 */
export function noteChecked(flow: object, outcome: Checked): void {
  checked.set(flow, outcome);
}

/** Whether a flow was already checked with the same options and is valid. Throws the error of a failed check. */
export function wasChecked(flow: unknown, { dialect, isRepaired }: Omit<Checked, "error">): flow is FlowParts {
  const known = typeof flow === "object" && flow !== null ? checked.get(flow) : undefined;
  if (known?.dialect !== dialect || known.isRepaired !== isRepaired) return false;
  if (known.error) throw known.error;
  return true;
}
