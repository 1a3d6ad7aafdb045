import type { EffectContext } from "../../effects/effect-context.ts";
import { limits } from "../../limits/index.ts";
import { findLinkedFlow } from "../../management/bots/versions/linked-flow.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { withPaidTexts } from "./paid-steps.ts";
import { listStandingSteps } from "./steps.sql.ts";

/** Returns the functions with which effects read linked flows and the session's steps. */
export function effectReads(sql: Sql, sessionId: string): Pick<EffectContext, "findLinkedFlow" | "listSteps"> {
  return {
    findLinkedFlow: (place) => findLinkedFlow(sql, place),
    listSteps: async () =>
      withPaidTexts(sql, sessionId, await listStandingSteps(sql, sessionId, limits.session.transcriptSteps)),
  };
}
