import { Type } from "@sinclair/typebox";
import { textIn } from "../../core/credentials/kind.ts";
import { readReport } from "../../effects/payments/stripe.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { credentialsOfAny } from "../../management/credentials/credentials-of-step.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { findPayment } from "../../management/payments/payments.sql.ts";
import { readBytes } from "../../platform/http/body.ts";
import { isId } from "../../platform/ids.ts";
import { isUnanswered, settlePayment } from "../payments/settle-payment.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** The operations that payment providers call. */
export const paymentOperations: Operation[] = [
  operation({
    id: "reportPayment",
    route: "POST /api/v1/payments/stripe/:credentialsId",
    auth: needsNoToken,
    host: "chat",
    bodyType: "*/*",
    answer: Type.Object({ received: Type.Literal(true, { description: "Always true: the report was received." }) }),
    errors: [
      "credentials.not_found",
      "payment.report_invalid",
      "payment.provider_failed",
      "request.too_large",
      "request.too_slow",
      "request.incomplete",
    ],
    async handle(deps, { params: { credentialsId }, headers, request }) {
      const found = await credentialsOfAny(deps, { type: "stripe", credentialsId });
      if (!found) throw new AppError("credentials.not_found");
      const bytes = await readBytes(request, { maxBytes: limits.payments.reportBytes, clock: deps.clock });
      const secrets = ["liveWebhookSecret", "testWebhookSecret"].flatMap((name) => textIn(found.data, name) ?? []);
      const signature = headers.get("stripe-signature") ?? "";
      const report = await readReport({ body: Buffer.from(bytes).toString(), signature }, secrets);
      if (!report) throw new AppError("payment.report_invalid");
      const { paymentId } = report;
      const payment = paymentId !== undefined && isId(paymentId) ? await findPayment(deps.sql, paymentId) : undefined;
      if (payment?.credentialsId === credentialsId) await answered(settlePayment(deps, payment));
      return { received: true } as const;
    },
  }),
];

/** Throws `payment.provider_failed` if the provider did not answer, so that Stripe sends the report again. */
async function answered(settling: Promise<unknown>): Promise<void> {
  try {
    await settling;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    throw new AppError("payment.provider_failed", { cause: error });
  }
}
