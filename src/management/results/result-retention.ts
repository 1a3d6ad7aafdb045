import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { countOutdated, findRetention, updateRetention } from "./result-retention.sql.ts";

export type Retention = {
  /** Null: results are kept until they are deleted by hand. */
  readonly days: number | null;
  /** How many results that leaves to be erased, counted no further than `limits.lists.searchedResults`. */
  readonly outdatedResults: number;
};

/** For how long a bot keeps results. */
export async function getRetention(deps: ManagementDependencies, caller: Caller, botId: string): Promise<Retention> {
  await requireBot(deps, caller, botId, "read");
  return await retentionOf(deps, botId);
}

/** Says for how long a bot keeps results; older ones are erased within the hour, for good. For ADMIN and MEMBER. */
export async function setRetention(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  days: number | null,
): Promise<Retention> {
  await requireBot(deps, caller, botId, "manage");
  await updateRetention(deps.sql, { botId, days });
  return await retentionOf(deps, botId);
}

async function retentionOf(deps: ManagementDependencies, botId: string): Promise<Retention> {
  const days = await findRetention(deps.sql, botId);
  const most = limits.lists.searchedResults;
  return { days, outdatedResults: days === null ? 0 : await countOutdated(deps.sql, { botId, days, most }) };
}
