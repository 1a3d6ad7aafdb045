import { textAt, valueAt } from "../../interpreter/flow.ts";
import { type PaymentFacts, placeIn } from "../facts.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Found, Rule } from "../rule.ts";

export const paymentTestKeys: Rule = {
  name: "payment_test_keys",
  severity: "warning",
  about:
    "A payment's credentials have Stripe test keys instead of live keys, so visitors of the published bot can pay with Stripe's test cards, and you receive no money.",
  advice: "Save the live keys in the credentials, and the test keys in the fields for previews.",
  needsWorkspace: true,
  find: (flow) =>
    paymentsWhere(
      ({ isTest }) => isTest,
      "You receive no money from this payment, because its credentials have test keys.",
      flow,
    ),
};

export const paymentWithoutWebhook: Rule = {
  name: "payment_without_webhook",
  severity: "info",
  about:
    "Stripe does not report payments, because the credentials have no `liveWebhookSecret`. If a visitor pays and closes the tab, Parley notices this only when it next asks Stripe: ten minutes after it requested the payment, then every hour for a day, and then daily.",
  advice: "Set up payment reports from Stripe, and save the signing secret in the credentials.",
  needsWorkspace: true,
  find: (flow) =>
    paymentsWhere(
      ({ hasWebhook }) => !hasWebhook,
      "If a visitor pays and closes the tab, the chat continues only when Parley next asks Stripe, usually within an hour.",
      flow,
    ),
};

export const paymentDeadEnd: Rule = {
  name: "payment_dead_end",
  severity: "info",
  about:
    "A payment has no edge “If payment is not possible”. If the provider does not respond, or the amount is not a number, the visitor reads a notice, and the chat ends.",
  advice: "Connect “If payment is not possible” to a group, or let visitors continue without paying.",
  *find({ blocks }) {
    for (const linted of blocks) {
      const { type, options } = linted.block;
      if (type !== "payment input" || textAt(options, "credentialsId") === undefined) continue;
      if (textAt(options, "failure", "outgoingEdgeId") !== undefined) continue;
      if (valueAt(options, "failure", "isSkipOffered") === true) continue;
      yield { ...placeIn(linted), message: "If this payment is not possible, the chat ends." };
    }
  },
};

/**
 * Yields the positions of credentials for which `isFound` returns true. Yields nothing in a browser and on the command
 * line, where the facts are unknown.
 */
function* paymentsWhere(
  isFound: (payment: PaymentFacts) => boolean,
  message: string,
  { blocks, references, facts: { payments } }: LintedFlow,
): Generator<Found> {
  if (!payments) return;
  for (const { block, group, node } of blocks) {
    for (const { id, path } of references[node]?.credentials ?? []) {
      const payment = payments.get(id);
      if (payment && isFound(payment)) yield { path, groupId: group.id, blockId: block.id, message };
    }
  }
}
