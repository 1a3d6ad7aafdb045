import type { Sql } from "../../src/platform/database/sql.ts";
import type { TakenMail } from "../support/mail-server.ts";
import type { OutsideRequest } from "../support/outside.ts";
import type { Scenario } from "./flow.ts";
import type { Talked } from "./visitors.ts";

/** All data that remain after the chaos, and the responses that visitors received. */
export type Aftermath = {
  readonly sql: Sql;
  readonly scenario: Scenario;
  readonly talked: readonly Talked[];
  readonly calls: readonly OutsideRequest[];
  readonly mails: readonly TakenMail[];
};

/** Returns one sentence for each broken promise. */
export async function brokenPromises({ sql, scenario, talked, calls, mails }: Aftermath): Promise<string[]> {
  const tickets = scenario.hasEffects ? talked.map(({ ticket }) => ticket) : [];
  return [
    ...(await sessionProblems(sql, talked)),
    ...(await stepProblems(sql, talked)),
    ...(await answerProblems(sql, scenario, talked)),
    ...callProblems(calls, scenario.hasEffects ? talked : []),
    ...mailProblems(mails, tickets),
  ];
}

export async function sessionProblems(sql: Sql, talked: readonly Talked[]): Promise<string[]> {
  const known = new Set(talked.map(({ sessionId }) => sessionId));
  const sessions = await sql<{ id: string; isEnded: boolean; isClaimed: boolean; isCompleted: boolean | null }[]>`
    select s.id, s.is_ended, coalesce(s.claim_until > clock(), false) as is_claimed, r.is_completed
    from sessions s
    left join results r on r.shard = s.shard and r.id = s.result_id`;
  const [results] = await sql<[{ count: number }]>`select count(*)::int as count from results`;
  const [claims] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from start_keys
    where session_id is null`;
  return [
    ...sessions.filter(({ id }) => !known.has(id)).map(({ id }) => `session ${id} was told to nobody`),
    ...sessions.filter(({ isEnded }) => !isEnded).map(({ id }) => `session ${id} has not ended`),
    ...sessions.filter(({ isClaimed }) => isClaimed).map(({ id }) => `session ${id} is still claimed`),
    ...sessions.filter(({ isCompleted }) => !isCompleted).map(({ id }) => `the result of ${id} is not completed`),
    ...unequal("sessions", sessions.length, known.size),
    ...unequal("results", results.count, known.size),
    ...unequal("starts that were claimed and never saved", claims.count, 0),
  ];
}

async function stepProblems(sql: Sql, talked: readonly Talked[]): Promise<string[]> {
  const rows = await sql<{ sessionId: string; revision: number; response: unknown }[]>`
    select session_id, revision, response
    from steps
    order by session_id, revision`;
  const stored = Map.groupBy(rows, ({ sessionId }) => sessionId);
  return talked.flatMap(({ ticket, sessionId, responses }) => {
    const steps = stored.get(sessionId) ?? [];
    return [
      ...unequal(
        `revisions of ${ticket}`,
        steps.map(({ revision }) => revision),
        responses.map((_, index) => index + 1),
      ),
      ...responses.flatMap((response, index) =>
        unequal(`response ${index} of ${ticket}`, withRevision(steps[index]), response),
      ),
    ];
  });
}

/** Returns a stored step as visitors receive it: the revision, followed by the response. */
export function withRevision(step: { revision: number; response: unknown } | undefined): unknown {
  return step && { revision: step.revision, ...Object(step.response) };
}

async function answerProblems(sql: Sql, { replies }: Scenario, talked: readonly Talked[]): Promise<string[]> {
  const rows = await sql<{ sessionId: string; content: string }[]>`
    select session_id, content
    from answers
    order by session_id, revision, position`;
  const stored = Map.groupBy(rows, ({ sessionId }) => sessionId);
  return talked.flatMap(({ ticket, sessionId }) =>
    unequal(`answers of ${ticket}`, stored.get(sessionId)?.map(({ content }) => content) ?? [], replies),
  );
}

/** Checks that both calls of each visitor arrived, and that a repeated call has the same key and the same body. */
export function callProblems(calls: readonly OutsideRequest[], talked: readonly Talked[]): string[] {
  const facts = calls.map(({ headers, body }) => {
    const { ticket, place }: { ticket: string; place: string } = JSON.parse(body);
    const key = String(headers["idempotency-key"]);
    return { of: `${ticket} at the ${place}`, key, told: `${key} ${body}` };
  });
  const byCall = Map.groupBy(facts, ({ of }) => of);
  // The responses show how the step continued without the call.
  const missing = talked.flatMap(({ ticket, sessionId, responses }) =>
    ["start", "middle"]
      .filter((place) => !byCall.has(`${ticket} at the ${place}`))
      .map((place) => `no call of ${ticket} at the ${place} (${sessionId}) came: ${JSON.stringify(responses)}`),
  );
  return [
    ...missing,
    ...unequal("calls", byCall.size + missing.length, 2 * talked.length),
    ...[...byCall].flatMap(([of, made]) =>
      new Set(made.map(({ told }) => told)).size === 1
        ? []
        : [`the call of ${of} was repeated differently: ${made.map(({ told }) => told).join(" and ")}`],
    ),
    ...[...Map.groupBy(facts, ({ key }) => key)].flatMap(([key, made]) => {
      const different = new Set(made.map(({ of }) => of));
      return different.size === 1 ? [] : [`the calls of ${[...different].join(" and of ")} had one key: ${key}`];
    }),
  ];
}

function mailProblems(mails: readonly TakenMail[], tickets: readonly string[]): string[] {
  const idsOf = Map.groupBy(mails, ({ headers }) => headers["subject"] ?? "");
  const ids = new Set(mails.map(({ headers }) => headers["message-id"]));
  return [
    ...unequal("mails", [...idsOf.keys()].toSorted(), tickets.toSorted()),
    ...unequal("different mails", ids.size, tickets.length),
  ];
}

export function unequal(what: string, found: unknown, expected: unknown): string[] {
  if (Bun.deepEquals(found, expected)) return [];
  return [`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`.slice(0, 2_000)];
}
