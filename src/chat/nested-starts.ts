import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { addNestedStart } from "./saves/nested-starts.sql.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

/**
 * Counts a start that another chat made by a call. The start counts for the step that began the chain of calls, or for
 * the client address of this machine if that step is uncertain. Throws `step.too_many_starts` beyond `NESTED_STARTS`.
 * Starts from other instances are not counted, because only those instances know the first step.
 */
export async function countNestedStart(
  { sql, config }: Pick<ChatDependencies, "sql" | "config">,
  { root }: Hops,
  ownAddress: string | undefined,
): Promise<void> {
  const key = root ?? ownAddress;
  if (key === undefined) return;
  const most = config.NESTED_STARTS;
  const seconds = root === null ? limits.nestedStarts.addressSeconds : limits.nestedStarts.rootSeconds;
  if (!(await addNestedStart(sql, { key, most, seconds }))) {
    throw new AppError("step.too_many_starts", { data: { most } });
  }
}
