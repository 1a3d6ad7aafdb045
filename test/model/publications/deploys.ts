import type { DeployOptions } from "../../../src/commands/deploy/deploy.ts";
import type { File } from "./checkout.ts";
import type { Bot, Run } from "./run.ts";

/** The change that a deploy plans for one bot of its folder. If one change is rejected, the deploy sends nothing. */
export type Planned = {
  readonly file: File;
  readonly publishes: boolean;
  readonly isRefused: boolean;
};

/** Returns the planned change for each bot of the folder. */
export function planOf({ checkout }: Run, options: DeployOptions): Planned[] {
  return [...checkout.files.values()].map((file) => {
    const { bot, text, locked } = file;
    if (bot.workspace !== "home" || bot.place !== "there") return { file, publishes: false, isRefused: true };
    const isMoved = text !== bot.draft && bot.draft !== locked && !options.force;
    const live = becomes(file, options);
    return { file, publishes: live === "published", isRefused: isMoved || live === "conflict" };
  });
}

/** Returns the effect of a deploy on the live version. */
function becomes(file: File, { forceLive, percent }: DeployOptions): "published" | "left" | "conflict" {
  const { bot, text, locked, published, isPublishing } = file;
  const [live, canary] = [textAt(bot, bot.live), textAt(bot, bot.canary)];
  const isLive = live === text;
  if (forceLive?.includes(file.folder)) return canary !== undefined || !isLive ? "published" : "left";
  if (text === locked && !isPublishing) return "left";
  const isOwnCanary = canary === text;
  if (isOwnCanary && percent === undefined) return "published";
  if (isLive && canary === undefined) return "left";
  const isOfLock = bot.draft === locked && live === locked;
  const isForeign = (canary !== undefined && !isOwnCanary) || (published !== (bot.live ?? null) && !isOfLock);
  if (isForeign) return "conflict";
  return isOwnCanary ? "left" : "published";
}

function textAt({ publications }: Bot, number: number | undefined): number | undefined {
  return number === undefined ? undefined : publications.get(number);
}
