import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { wholeUnits } from "../../core/payments/currencies.ts";
import { limits } from "../../limits/index.ts";
import { findPayment, noteLatePayment } from "../../management/payments/payments.sql.ts";
import { isUnanswered, type SettlingDependencies, settlePayment } from "../payments/settle-payment.ts";
import { appendLogs } from "../saves/logs.sql.ts";
import type { DueRow } from "./due-steps.sql.ts";
import type { DueKind } from "./kind.ts";

/**
 * Continues a chat after the provider has reported the payment for which the chat waits. Also checks a payment again if
 * the provider was unreachable when the visitor paid.
 */
export const payment: DueKind = {
  act: (deps, row) => (valueAt(row.content, "isCheck") === true ? askAgain(deps, row) : undefined),
  reply: (row) => ({ type: "payment", paymentId: paymentIn(row) }),
  isAwaited: (row, { kept, blockId }) =>
    kept !== undefined && kept.blockId === blockId && textAt(kept.value, "paymentId") === paymentIn(row),
  async gone({ sql }, row) {
    const late = (await noteLatePayment(sql, paymentIn(row))) ? await findPayment(sql, paymentIn(row)) : undefined;
    if (!late || late.resultId === null) return;
    const { resultId, botId, amount: units, currency } = late;
    const description = "A payment was made after the chat had continued without it";
    const details = `${wholeUnits({ units, currency })} ${currency}`;
    await appendLogs(sql, { resultId, botId, logs: [{ status: "info", description, details, context: "Payment" }] });
  },
};

/**
 * Checks a payment again. If the provider has received the payment, a separate row is added, which is a step. Returns
 * the seconds until the next check, or undefined if this row makes no further check.
 */
async function askAgain(deps: SettlingDependencies, row: DueRow): Promise<number | undefined> {
  const asked = await findPayment(deps.sql, paymentIn(row));
  if (!asked) return undefined;
  try {
    // Makes a single attempt, because due steps have only few slots.
    await settlePayment(deps, asked, { timeLeftMs: limits.payments.callMs });
    return undefined;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    // After the last pause, the hourly checks continue.
    return limits.payments.awayPausesSeconds[row.attempts];
  }
}

function paymentIn({ content }: DueRow): string {
  return textAt(content, "paymentId") ?? "";
}
