import { blocks } from "../../../core/blocks/index.ts";
import { roundedOut, spansOf } from "../../../core/measures/spans.ts";
import { limits } from "../../../limits/index.ts";
import { readClock } from "../../../platform/database/clock.sql.ts";
import { type Caller, requireWorkspace } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { findCountedUntil } from "../../counts/count-state.sql.ts";
import { findProblemPlaces, type ProblemSum, sumProblems } from "../../counts/problems.sql.ts";

const dayMs = 86_400_000;

/**
 * Returns the errors of a workspace's bots by block and reason, in chats that started within the last day and week. The
 * bots with the most errors and the most frequent problems come first. A GUEST gets the errors of the bots on which
 * they collaborate.
 */
export async function listProblems(deps: ManagementDependencies, caller: Caller, workspaceId: string) {
  const { role } = await requireWorkspace(deps, caller, workspaceId, "see");
  const userId = role === "GUEST" ? caller.userId : undefined;
  const now = (await readClock(deps.sql)).getTime();
  const sumsSince = (ms: number) => {
    const spans = spansOf(roundedOut({ from: new Date(now - ms), to: null }));
    return sumProblems(deps.sql, { workspaceId, userId, spans });
  };
  const [asOf, lastDay, lastWeek] = [
    await findCountedUntil(deps.sql, { workspaceId }),
    await sumsSince(dayMs),
    await sumsSince(7 * dayMs),
  ];
  const day = new Map(lastDay.map((sum) => [keyOf(sum), sum]));
  const byBot = [...Map.groupBy(lastWeek, ({ botId }) => botId)].flatMap(([botId, sums]) => {
    const failures = sums.filter(({ kind }) => kind === "failure");
    if (failures.length === 0) return [];
    const total = (of: readonly ProblemSum[], kind: ProblemSum["kind"]) =>
      of.find((sum) => sum.kind === kind)?.chats ?? 0;
    const ofDay = lastDay.filter((sum) => sum.botId === botId);
    return [
      {
        botId,
        lastDay: { chats: total(ofDay, "view"), failedChats: total(ofDay, "failed") },
        lastWeek: { chats: total(sums, "view"), failedChats: total(sums, "failed") },
        failures: failures.toSorted(byFrequency(day)),
      },
    ];
  });
  const worst = byBot.toSorted(
    (a, b) => b.lastDay.failedChats - a.lastDay.failedChats || b.lastWeek.failedChats - a.lastWeek.failedChats,
  );
  const shown = worst
    .slice(0, limits.insight.failingBots)
    .map((bot) => ({ ...bot, failures: bot.failures.slice(0, limits.insight.problemsPerBot) }));
  const places = await findProblemPlaces(
    deps.sql,
    shown.flatMap(({ failures }) => failures),
  );
  const placeOf = new Map(places.map((place) => [problemKey(place), place]));
  const bots = shown.map(({ failures, botId, ...counts }) => ({
    botId,
    botName: placeOf.get(problemKey(failures[0] ?? { botId, blockId: "", reason: "" }))?.botName ?? "",
    ...counts,
    problems: failures.map((failure) => {
      const {
        groupTitle = null,
        blockType = null,
        seenAt = null,
        resultId = null,
      } = placeOf.get(problemKey(failure)) ?? {};
      return {
        blockId: failure.blockId === "" ? null : failure.blockId,
        blockName: blockType === null ? null : (blocks.get(blockType)?.editor.name ?? blockType),
        blockType,
        groupTitle,
        reason: failure.reason,
        lastDay: countsOf(day.get(keyOf(failure))),
        lastWeek: countsOf(failure),
        lastSeenAt: seenAt,
        lastResultId: resultId,
      };
    }),
  }));
  return { asOf, bots };
}

function byFrequency(day: ReadonlyMap<string, ProblemSum>) {
  return (a: ProblemSum, b: ProblemSum): number =>
    (day.get(keyOf(b))?.chats ?? 0) - (day.get(keyOf(a))?.chats ?? 0) || b.chats - a.chats;
}

function countsOf(sum: ProblemSum | undefined) {
  return { chats: sum?.chats ?? 0, times: sum?.times ?? 0 };
}

function keyOf(sum: ProblemSum): string {
  return `${sum.kind} ${problemKey(sum)}`;
}

function problemKey({ botId, blockId, reason }: Pick<ProblemSum, "botId" | "blockId" | "reason">): string {
  return `${botId} ${reason} ${blockId}`;
}
