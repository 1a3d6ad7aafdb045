import type { Report } from "../core/interpreter/program/effect.ts";
import { isId, newId, shardOf } from "../platform/ids.ts";
import type { EffectContext } from "./effect-context.ts";

type LinkedFlowEffect = { readonly fromBotId: string; readonly botId: string; readonly isLive: boolean };

/** Finds the flow of another bot of the same workspace: published for live chats, for previews its draft. */
export async function performLinkedFlow(
  { fromBotId, botId, isLive }: LinkedFlowEffect,
  { findLinkedFlow, sessionId, previewedBy }: EffectContext,
): Promise<Report> {
  const hash = isId(botId) ? await findLinkedFlow({ fromBotId, botId, isLive, previewedBy }) : undefined;
  // A result is in the shard of the session that writes it.
  const resultId = newId(shardOf(sessionId));
  return { kind: "linkedFlow", program: hash === undefined ? null : `${botId}:${hash}`, resultId };
}
