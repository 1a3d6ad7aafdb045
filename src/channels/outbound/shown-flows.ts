import { LRUCache } from "lru-cache";
import { type Typing, typingOf } from "../../core/interpreter/schemas/typing.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findShownFlow, type SaidStep, type ShownFlow } from "./rendering.sql.ts";

/** Returns how the messages of a chat are shown, or undefined if the bot or its flow no longer exists. */
export type ShownFlows = (
  step: Pick<SaidStep, "botId" | "flowHash">,
) => Promise<(Pick<ShownFlow, "language"> & { readonly typing: Typing }) | undefined>;

/** Caches the flows, because a stored flow does not change. */
export function createShownFlows(sql: Sql): ShownFlows {
  const known = new LRUCache<string, NonNullable<Awaited<ReturnType<ShownFlows>>>>({ max: 2_000 });
  return async ({ botId, flowHash }) => {
    if (botId === null || flowHash === null) return undefined;
    const key = `${botId} ${flowHash}`;
    const cached = known.get(key);
    if (cached) return cached;
    const flow = await findShownFlow(sql, { botId, flowHash });
    const shown = flow && { language: flow.language, typing: typingOf(flow.settings) };
    if (shown) known.set(key, shown);
    return shown;
  };
}
