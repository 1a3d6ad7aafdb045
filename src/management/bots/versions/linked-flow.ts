import { canonicalHash } from "../../../core/flow/canonical.ts";
import { factsOf } from "../../../core/flow/facts.ts";
import type { LinkedFlowPlace } from "../../../effects/effect-context.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { findSiblingDraft, findSiblingPublication, keepFlow } from "./flows.sql.ts";

/**
 * Returns the hash of the flow of another bot in the same workspace; undefined if there is no such flow. A live chat
 * gets the published flow. A preview gets the draft, which is stored as a flow, if the previewing user may read it.
 */
export async function findLinkedFlow(
  sql: Sql,
  { fromBotId, botId, isLive, previewedBy }: LinkedFlowPlace,
): Promise<string | undefined> {
  if (isLive) return findSiblingPublication(sql, { fromBotId, botId });
  const flow =
    previewedBy === null ? undefined : await findSiblingDraft(sql, { fromBotId, botId, userId: previewedBy });
  if (!flow) return undefined;
  const hash = canonicalHash(flow);
  await keepFlow(sql, { botId, hash, flow, facts: factsOf(flow) });
  return hash.toString("hex");
}
