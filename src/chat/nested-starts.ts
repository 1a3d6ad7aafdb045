import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { addNestedStart } from "./saves/nested-starts.sql.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

/**
 * Counts a start that another chat requested by a call. The start is counted for the step that began the chain of calls
 * or, if this step is unknown, for `ownAddress`. If both are unknown, it is not counted. Throws `step.too_many_starts`
 * beyond `NESTED_STARTS`.
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
