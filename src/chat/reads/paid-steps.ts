import { textAt } from "../../core/interpreter/flow.ts";
import { wholeUnits } from "../../core/payments/currencies.ts";
import { type Paid, paidText } from "../../core/payments/paid-text.ts";
import type { SpokenStep } from "../../effects/effect-context.ts";
import { listPaid } from "../../management/payments/paid.sql.ts";
import type { SpokenAnswer } from "../../management/results/results.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findSessionLanguage } from "./sessions.sql.ts";

/**
 * Returns the payments of a session's steps, by revision. Includes only steps that were caused by a provider's report
 * instead of a visitor's reply.
 */
export async function paidBySteps(
  sql: Sql,
  sessionId: string,
  steps: readonly SpokenStep[],
): Promise<ReadonlyMap<number, Paid>> {
  const ids = new Map(
    steps.flatMap(({ revision, reply }) => {
      const id = paymentIn(reply);
      return id === undefined ? [] : [[revision, id] as const];
    }),
  );
  if (ids.size === 0) return none;
  const rows = await listPaid(sql, { sessionId, paymentIds: [...ids.values()] });
  const paid = new Map(
    rows.map(({ id, amount: units, currency }) => [id, { amount: wholeUnits({ currency, units }), currency }]),
  );
  return new Map([...ids].map(([revision, id]) => [revision, paid.get(id) ?? {}]));
}

const none: ReadonlyMap<number, Paid> = new Map();

/** Adds text to steps for transcripts: a reply that is a payment gets a sentence in the chat's language. */
export async function withPaidTexts(sql: Sql, sessionId: string, steps: readonly SpokenStep[]): Promise<SpokenStep[]> {
  const paid = await paidBySteps(sql, sessionId, steps);
  if (paid.size === 0) return [...steps];
  const language = (await findSessionLanguage(sql, sessionId)) ?? "en";
  return steps.map((step) => {
    const found = paid.get(step.revision);
    return found ? { ...step, reply: { type: "payment", text: paidText(found, language) } } : step;
  });
}

/** Like `withPaidTexts`, for an answer whose step belongs to another bot's chat or is no longer stored. */
export async function withPaidText(sql: Sql, { sessionId, paid, content }: SpokenAnswer): Promise<string> {
  if (paid === null) return content;
  const language = (await findSessionLanguage(sql, sessionId)) ?? "en";
  return paidText({ amount: wholeUnits(paid), currency: paid.currency }, language);
}

function paymentIn(reply: unknown): string | undefined {
  return textAt(reply, "type") === "payment" ? textAt(reply, "paymentId") : undefined;
}
