import { LRUCache } from "lru-cache";
import { type Typing, typingOf } from "../../core/interpreter/schemas/typing.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findTypingSettings, type SaidStep } from "./rendering.sql.ts";

/** Returns the typing pauses of the chat's flow, or undefined if the bot or its flow no longer exists. */
export type TypingReader = (step: Pick<SaidStep, "botId" | "flowHash">) => Promise<Typing | undefined>;

/** Reads the settings of each flow once, because a stored flow does not change. */
export function createTypingReader(sql: Sql): TypingReader {
  const known = new LRUCache<string, Typing>({ max: 2_000 });
  return async ({ botId, flowHash }) => {
    if (botId === null || flowHash === null) return undefined;
    const key = `${botId} ${flowHash}`;
    const cached = known.get(key);
    if (cached) return cached;
    const settings = await findTypingSettings(sql, { botId, flowHash });
    const typing = settings && typingOf(settings);
    if (typing) known.set(key, typing);
    return typing;
  };
}
