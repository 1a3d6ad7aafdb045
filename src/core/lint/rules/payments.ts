import { textAt, valueAt } from "../../interpreter/flow.ts";
import { type PaymentFacts, placeIn } from "../facts.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Found, Rule } from "../rule.ts";

export const paymentTestKeys: Rule = {
  name: "payment_test_keys",
  severity: "warning",
  about:
    "A payment's credentials have test keys of Stripe in the place of live ones: visitors of the published bot can pay with Stripe's test cards, and no money comes.",
  advice: "Save the keys of live mode in the credentials, and those of test mode in the members for previews.",
  needsWorkspace: true,
  find: (flow) =>
    paymentsWhere(({ isTest }) => isTest, "No money comes from this payment: its credentials have test keys.", flow),
};

export const paymentWithoutWebhook: Rule = {
  name: "payment_without_webhook",
  severity: "info",
  about:
    "Stripe reports nothing of a payment, because its credentials have no `liveWebhookSecret`. A visitor who pays and closes the tab is noted ten minutes later or after up to an hour, when Parley asks Stripe.",
  advice: "Let Stripe report payments, and save the signing secret in the credentials.",
  needsWorkspace: true,
  find: (flow) =>
    paymentsWhere(
      ({ hasWebhook }) => !hasWebhook,
      "If a visitor pays and closes the tab, the chat goes on ten minutes later or after up to an hour.",
      flow,
    ),
};

export const paymentDeadEnd: Rule = {
  name: "payment_dead_end",
  severity: "info",
  about:
    "A payment has no way on where it cannot be taken: the provider does not answer, or the amount is no number. The visitor reads a sentence, and the chat ends there.",
  advice: "Lead “When it cannot be taken” to a group, or offer there to continue without it.",
  *find({ blocks }) {
    for (const linted of blocks) {
      const { type, options } = linted.block;
      if (type !== "payment input" || textAt(options, "credentialsId") === undefined) continue;
      if (textAt(options, "failure", "outgoingEdgeId") !== undefined) continue;
      if (valueAt(options, "failure", "isSkipOffered") === true) continue;
      yield { ...placeIn(linted), message: "Where this payment cannot be taken, the chat ends." };
    }
  },
};

/**
 * Yields the positions of credentials for which `isFound` returns true. The facts are unknown in a browser and on the
 * command line.
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
