import { AppError } from "../../../../errors.ts";
import { type Caller, requireBot } from "../../../access/access.ts";
import type { BotDependencies } from "../../drafts/dependencies.ts";
import {
  type CanaryRow,
  changeCanary,
  countByVersion,
  endCanary,
  findCanary,
  promoteCanary,
  type VersionFigures,
} from "./canaries.sql.ts";
import { type RunningChatsPolicy, startMoving } from "./running-chats.ts";

export type Canary = CanaryRow & {
  /** Figures of the published version and of the canary, since the canary started. */
  readonly figures: readonly (VersionFigures & { readonly isCanary: boolean })[];
};

/** Returns the canary with the outcomes of the canary and of the published version; null if the bot has no canary. */
export async function getCanary(deps: BotDependencies, caller: Caller, botId: string): Promise<Canary | null> {
  await requireBot(deps, caller, botId, "read");
  return readCanary(deps, botId);
}

/** Changes the canary's share of new chats. Throws `canary.not_found`. */
export async function setCanaryPercent(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { percent }: { percent: number },
): Promise<Canary> {
  await requireBot(deps, caller, botId, "write");
  await changeCanary(deps.sql, { botId, percent });
  const canary = await readCanary(deps, botId);
  if (!canary) throw new AppError("canary.not_found");
  return canary;
}

/** Publishes the canary for all visitors, under its own number. Throws `canary.not_found`. */
export async function promote(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { runningChats }: { runningChats: RunningChatsPolicy },
): Promise<number> {
  await requireBot(deps, caller, botId, "write");
  const movesChats = runningChats === "move";
  const number = await promoteCanary(deps.sql, { botId, movesChats });
  if (number === undefined) throw new AppError("canary.not_found");
  if (movesChats) await startMoving(deps, botId);
  return number;
}

/**
 * Ends the canary: new chats start on the published version, and the canary's chats continue on the canary. Throws
 * `canary.not_found`.
 */
export async function rollBack(deps: BotDependencies, caller: Caller, botId: string): Promise<number> {
  await requireBot(deps, caller, botId, "write");
  const number = await endCanary(deps.sql, botId);
  if (number === undefined) throw new AppError("canary.not_found");
  return number;
}

async function readCanary(deps: BotDependencies, botId: string): Promise<Canary | null> {
  const canary = await findCanary(deps.sql, botId);
  if (!canary) return null;
  const numbers = [canary.currentNumber, canary.number];
  const counted = await countByVersion(deps.sql, { botId, numbers, since: canary.since });
  const figures = numbers.map((number) => ({
    ...(counted.find((one) => one.number === number) ?? { number, views: 0, starts: 0, completions: 0 }),
    isCanary: number === canary.number,
  }));
  return { ...canary, figures };
}
