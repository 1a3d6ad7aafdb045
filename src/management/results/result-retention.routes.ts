import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { nullable, resource } from "../../platform/http/schemas.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { countOutdated, findRetention, updateRetention } from "./result-retention.sql.ts";

const operation = operationFor("Results");
const path = "/api/v1/bots/:botId/results/retention";

const RetentionSchema = resource(
  "ResultRetention",
  {
    days: nullable(
      Type.Integer({
        description:
          "Number of days from the start of a result. Null means that results are kept until somebody deletes them.",
      }),
    ),
    outdatedResults: Type.Integer({
      description: `Number of older results, which the next run erases; ${limits.lists.searchedResults} means ${limits.lists.searchedResults} or more.`,
    }),
  },
  "The time for which a bot keeps its results.",
);
const example = { days: 90, outdatedResults: 12 };

export const resultRetentionOperations: readonly Operation[] = [
  operation({
    id: "getResultRetention",
    route: `GET ${path}`,
    answer: Type.Object({ retention: RetentionSchema }),
    answerExample: { retention: example },
    handle: async (deps, { caller, params }) => ({ retention: await getRetention(deps, caller, params.botId) }),
  }),
  operation({
    id: "setResultRetention",
    route: `PUT ${path}`,
    body: Type.Object({
      days: nullable(
        Type.Integer({
          minimum: 1,
          maximum: limits.resultRetention.maxDays,
          description: "Number of days. Null means that results are kept until somebody deletes them.",
        }),
      ),
    }),
    answer: Type.Object({ retention: RetentionSchema }),
    answerExample: { retention: example },
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({
      retention: await setRetention(deps, caller, params.botId, body.days),
    }),
  }),
];

type Retention = {
  /** Null if results are stored until people delete them. */
  readonly days: number | null;
  /**
   * The number of results outside the bin that are erased with this retention, counted up to
   * `limits.lists.searchedResults`.
   */
  readonly outdatedResults: number;
};

/** Returns the retention of a bot's results. */
async function getRetention(deps: ManagementDependencies, caller: Caller, botId: string): Promise<Retention> {
  await requireBot(deps, caller, botId, "read");
  return await retentionOf(deps, botId);
}

/**
 * Sets the retention of a bot's results. Older results are permanently erased within the hour. Requires ADMIN or
 * MEMBER.
 */
async function setRetention(
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
