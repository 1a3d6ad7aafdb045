import type { Sql } from "../../../src/platform/database/sql.ts";
import { withRevision } from "../checks.ts";
import type { Talked } from "../visitors.ts";

export type Tally = {
  /** Responses that visitors received, each counted once. */
  readonly acknowledged: number;
  /** The number of acknowledged responses that are missing or differ in the database. */
  readonly lost: number;
  /** The number of stored steps that were not acknowledged, and of steps with more than one answer. */
  readonly doubled: number;
  /** A sentence for each difference. */
  readonly differences: readonly string[];
};

/** Compares the responses that visitors received with the stored steps. */
export async function tallyOf(sql: Sql, talked: readonly Talked[]): Promise<Tally> {
  const ids = talked.map(({ sessionId }) => sessionId);
  const steps = await sql<{ sessionId: string; revision: number; response: unknown; answers: number }[]>`
    select s.session_id, s.revision, s.response,
      (select count(*)::int from answers a where a.session_id = s.session_id and a.revision = s.revision) as answers
    from steps s
    where s.session_id = any(${ids}::uuid[])
    order by s.session_id, s.revision`;
  const stored = Map.groupBy(steps, ({ sessionId }) => sessionId);
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const { ticket, sessionId, responses } of talked) {
    const own = stored.get(sessionId) ?? [];
    for (const [index, response] of responses.entries()) {
      const found = withRevision(own[index]);
      if (Bun.deepEquals(found, response)) continue;
      lost.push(`step ${index + 1} of ${ticket}: ${JSON.stringify(response)}, but ${JSON.stringify(found)} is stored`);
    }
    for (const { revision } of own.slice(responses.length)) doubled.push(`${ticket} has a step ${revision}`);
    for (const { revision, answers } of own)
      if (answers > 1) doubled.push(`step ${revision} of ${ticket} has ${answers} answers`);
  }
  const acknowledged = talked.reduce((sum, { responses }) => sum + responses.length, 0);
  return { acknowledged, lost: lost.length, doubled: doubled.length, differences: [...lost, ...doubled] };
}
