import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { addNestedStart } from "./saves/nested-starts.sql.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

/**
 * Counts a start that a chat has made by a call: for the step that the row of calls began with, and where none is known for sure, for the address of
 * this machine. Throws `step.too_many_starts` beyond NESTED_STARTS. Those of other instances are not
 * counted: only they know their roots.
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
