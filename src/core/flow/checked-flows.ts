import type { AppError } from "../../errors.ts";
import type { Dialect } from "./dialect.ts";
import type { FlowParts } from "./document.ts";

type Checked = { readonly dialect: Dialect; readonly error: AppError | undefined };

const checked = new WeakMap<object, Checked>();

/** Notes that a flow was checked elsewhere in this dialect, and what was wrong with it. Nobody writes into what came with a request. */
export function noteChecked(flow: object, outcome: Checked): void {
  checked.set(flow, outcome);
}

/** Whether a flow was checked already, and found right. Throws what was wrong with it. */
export function wasChecked(flow: unknown, dialect: Dialect): flow is FlowParts {
  const known = typeof flow === "object" && flow !== null ? checked.get(flow) : undefined;
  if (known?.dialect !== dialect) return false;
  if (known.error) throw known.error;
  return true;
}
