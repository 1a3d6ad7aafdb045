import { textAt } from "../../core/interpreter/flow.ts";
import { wholeUnits } from "../../core/payments/currencies.ts";
import { findPayment, noteLatePayment } from "../../management/payments/payments.sql.ts";
import { appendLogs } from "../saves/logs.sql.ts";
import type { DueRow } from "./due-steps.sql.ts";
import type { DueKind } from "./kind.ts";

/** The provider has reported the payment that the chat waits for. */
export const payment: DueKind = {
  reply: (row) => ({ type: "payment", paymentId: paymentIn(row) }),
  isAwaited: (row, { kept, blockId }) =>
    kept !== undefined && kept.blockId === blockId && textAt(kept.value, "paymentId") === paymentIn(row),
  async gone({ sql }, row) {
    const late = (await noteLatePayment(sql, paymentIn(row))) ? await findPayment(sql, paymentIn(row)) : undefined;
    if (!late || late.resultId === null) return;
    const { resultId, botId, amount: units, currency } = late;
    const description = "A payment was made when the chat had gone on without it";
    const details = `${wholeUnits({ units, currency })} ${currency}`;
    await appendLogs(sql, { resultId, botId, logs: [{ status: "info", description, details, context: "Payment" }] });
  },
};

function paymentIn({ content }: DueRow): string {
  return textAt(content, "paymentId") ?? "";
}
