import { listedBlocks, priceOf } from "./visited-flow.ts";
import type { Visit } from "./visitors.ts";

/** Computes the figures of the visits independently, without any code of the product. */
export function countByHand(visits: readonly Visit[]) {
  const ids = new Set(visits.flatMap(({ shown }) => [...shown]));
  return {
    views: visits.length,
    starts: visits.filter(({ hasAnswered }) => hasAnswered).length,
    completions: visits.filter(({ isEnded }) => isEnded).length,
    payments: countMoney(visits),
    blocks: new Map([...ids].map((id) => [id, countBlock(visits, id)])),
    edges: countEdges(visits),
  };
}

/** Sums the payments of the visits. A payment counts for its visit, no matter when it was made. */
function countMoney(visits: readonly Visit[]) {
  const paid = visits.flatMap(({ version, payments }) => Array.from({ length: payments }, () => priceOf(version)));
  return [...Map.groupBy(paid, ({ currency }) => currency)]
    .map(([currency, prices]) => ({
      ...{ currency, count: prices.length },
      amount: prices.reduce((sum, { amount }) => sum + amount, 0),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

function countBlock(visits: readonly Visit[], id: string) {
  const given = visits.flatMap(({ resultId, answers }) =>
    answers.filter(({ blockId }) => blockId === id).map(({ content }) => ({ resultId, content })),
  );
  const left = visits.filter(({ waitsAt, isEnded }) => !isEnded && waitsAt === id);
  const values = Map.groupBy(listedBlocks.has(id) ? given : [], ({ content }) => content);
  return {
    reached: visits.filter(({ shown }) => shown.has(id)).length,
    answered: new Set(given.map(({ resultId }) => resultId)).size,
    answers: given.length,
    left: left.length,
    silent: left.filter(({ hasAnswered }) => !hasAnswered).length,
    values: Object.fromEntries(
      [...values].map(([value, of]) => [
        value,
        { chats: new Set(of.map(({ resultId }) => resultId)).size, answers: of.length },
      ]),
    ),
  };
}

/** Counts the edges of choices and timeouts that visitors followed, except undone edges. */
function countEdges(visits: readonly Visit[]): Readonly<Record<string, { chats: number; times: number }>> {
  const edges: Record<string, { chats: number; times: number }> = {};
  for (const { answers, timedOut } of visits) {
    const taken = [...answers.flatMap(({ edgeId }) => edgeId ?? []), ...timedOut];
    for (const id of new Set(taken)) {
      const { chats = 0, times = 0 } = edges[id] ?? {};
      edges[id] = { chats: chats + 1, times: times + taken.filter((one) => one === id).length };
    }
  }
  return edges;
}

/**
 * Returns bounds, in seconds, for a quantile of the durations of completed visits with an answer. Returns undefined
 * without such visits.
 */
export function lengthByHand(
  visits: readonly Visit[],
  share: number,
): { readonly least: number; readonly most: number } | undefined {
  const ended = visits.flatMap(({ isEnded, answers, startSentAt, startedAt }) => {
    const last = answers.at(-1);
    if (!isEnded || !last) return [];
    return [{ least: last.sentAt - startedAt, most: last.takenAt - startSentAt }];
  });
  const place = Math.ceil(share * ended.length) - 1;
  const at = (key: "least" | "most") => ended.map((one) => one[key]).toSorted((a, b) => a - b)[place] ?? 0;
  return ended.length === 0 ? undefined : { least: at("least") / 1_000, most: at("most") / 1_000 };
}
