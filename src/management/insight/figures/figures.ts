import { roundedOut, spansOf } from "../../../core/measures/spans.ts";
import { limits } from "../../../limits/index.ts";
import { readClock } from "../../../platform/database/clock.sql.ts";
import { type Caller, requireWorkspace } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { findCountedUntil } from "../../counts/count-state.sql.ts";
import { type BotFigures, sumFigures } from "../../counts/figures.sql.ts";

const weekMs = 7 * 86_400_000;

/**
 * Returns the counts of a workspace's bots for the last week and for the week before. A GUEST gets the counts of the
 * bots on which they collaborate.
 */
export async function getFigures(deps: ManagementDependencies, caller: Caller, workspaceId: string) {
  const { role } = await requireWorkspace(deps, caller, workspaceId, "see");
  const userId = role === "GUEST" ? caller.userId : undefined;
  const { to: now } = roundedOut({ from: null, to: await readClock(deps.sql) });
  const end = now?.getTime() ?? 0;
  const from = new Date(end - weekMs);
  const sumsOf = (window: { readonly from: Date; readonly to: Date }) =>
    sumFigures(deps.sql, { workspaceId, userId, spans: spansOf(window) });
  const [asOf, bots, before] = [
    await findCountedUntil(deps.sql, { workspaceId }),
    await sumsOf({ from, to: new Date(end) }),
    await sumsOf({ from: new Date(end - 2 * weekMs), to: from }),
  ];
  return {
    ...{ asOf, from },
    lastWeek: totalOf(bots),
    weekBefore: totalOf(before),
    bots: bots.slice(0, limits.dashboard.bots).map(({ failed, ...bot }) => ({ ...bot, failedChats: failed })),
  };
}

function totalOf(bots: readonly BotFigures[]) {
  const sum = (figure: "starts" | "completions" | "failed") => bots.reduce((total, bot) => total + bot[figure], 0);
  return {
    starts: sum("starts"),
    completions: sum("completions"),
    failedChats: sum("failed"),
    failingBots: bots.filter(({ failed }) => failed > 0).length,
  };
}
