import { canonicalHash } from "../core/flow/canonical.ts";
import { factsOf } from "../core/flow/facts.ts";
import type { Report } from "../core/interpreter/program/effect.ts";
import { findSiblingDraft, findSiblingPublication, keepFlow } from "../management/bots/versions/flows.sql.ts";
import { isId, newId, shardOf } from "../platform/ids.ts";
import type { EffectContext } from "./effect-context.ts";

type LinkedFlowEffect = { readonly fromBotId: string; readonly botId: string; readonly isLive: boolean };

/** Finds the flow of another bot of the same workspace: published for live chats; for previews its draft, where who previews may read that. */
export async function performLinkedFlow(
  effect: LinkedFlowEffect,
  { sql, sessionId, previewedBy }: EffectContext,
): Promise<Report> {
  const { fromBotId, botId, isLive } = effect;
  const hash = isId(botId)
    ? await (isLive ? findSiblingPublication(sql, { fromBotId, botId }) : keepDraft())
    : undefined;
  // A result is in the shard of the session that writes it.
  const resultId = newId(shardOf(sessionId));
  return { kind: "linkedFlow", program: hash === undefined ? null : `${botId}:${hash}`, resultId };

  async function keepDraft(): Promise<string | undefined> {
    const flow =
      previewedBy === null ? undefined : await findSiblingDraft(sql, { fromBotId, botId, userId: previewedBy });
    if (!flow) return undefined;
    const draftHash = canonicalHash(flow);
    await keepFlow(sql, { botId, hash: draftHash, flow, facts: factsOf(flow) });
    return draftHash.toString("hex");
  }
}
