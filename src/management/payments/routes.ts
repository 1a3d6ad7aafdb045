import { Type } from "@sinclair/typebox";
import { type Operation, operationFor } from "../operations/operation.ts";
import { registerPaymentWebhook } from "./payment-webhook.ts";

const operation = operationFor("Credentials");

export const paymentAccountOperations: readonly Operation[] = [
  operation({
    id: "registerPaymentWebhook",
    route: "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/webhook",
    summary: "Set up payment reports from Stripe",
    description:
      "For credentials of type `stripe`: adds a webhook endpoint to the account, in live mode and, if there are test keys, in test mode, and stores its signing secret in the credentials. A mode that already has a signing secret does not change, so you can safely repeat the request.",
    answer: Type.Object({
      webhook: Type.Object(
        {
          url: Type.String({ description: "The address that Stripe calls." }),
          modes: Type.Array(Type.Union([Type.Literal("live"), Type.Literal("test")]), {
            description: "The modes for which the credentials now have a signing secret.",
          }),
        },
        { description: "The webhook to which Stripe reports payments." },
      ),
    }),
    answerExample: {
      webhook: {
        url: "https://chat.example.com/api/v1/payments/stripe/01m86s2yspwrm4nk4tq79511gk",
        modes: ["live", "test"],
      },
    },
    errors: [
      "credentials.unreadable",
      "credentials.no_webhook",
      "credentials.provider_failed",
      "secret.no_key",
      "server.overloaded",
    ],
    handle: async (deps, { caller, params: place }) => ({
      webhook: await registerPaymentWebhook(deps, caller, place),
    }),
  }),
];
