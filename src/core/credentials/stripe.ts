import { Type } from "@sinclair/typebox";
import { type CredentialsData, type CredentialsKind, textIn } from "./kind.ts";
import { key } from "./members.ts";

const ownUrl = "https://api.stripe.com";

export const stripe: CredentialsKind = {
  type: "stripe",
  name: "Stripe",
  summary: "Payments of visitors. Previews use the test keys.",
  page: "payments.md",
  schema: Type.Object({
    livePublicKey: publicKey("Live publishable key", "The page pays with it. Visitors can read it."),
    liveSecretKey: secretKey("Live secret key", "The secret key, or a restricted one that may write payment intents."),
    testPublicKey: Type.Optional(publicKey("Test publishable key", "The same for previews.")),
    testSecretKey: Type.Optional(secretKey("Test secret key", "The same for previews.")),
    liveWebhookSecret: Type.Optional(webhookSecret("Live webhook secret")),
    testWebhookSecret: Type.Optional(webhookSecret("Test webhook secret")),
  }),
  trial: { kind: "call", path: "/v1/balance" },
  secretMembers: ["liveSecretKey", "testSecretKey", "liveWebhookSecret", "testWebhookSecret"],
  destination: () => ownUrl,
  service: {
    name: "stripe",
    ownUrl,
    baseUrl: () => ownUrl,
    sign: (data) => ({ headers: [["Authorization", `Bearer ${textIn(data, "liveSecretKey") ?? ""}`]] }),
  },
};

/** Facts for the linter. Stripe's keys name their mode. */
export function paymentFacts(data: CredentialsData): { readonly isTest: boolean; readonly hasWebhook: boolean } {
  return {
    isTest: /^[rs]k_test_/.test(textIn(data, "liveSecretKey") ?? ""),
    hasWebhook: textIn(data, "liveWebhookSecret") !== undefined,
  };
}

/** Visitors read this key, so a secret one in its place is refused. */
function publicKey(title: string, description: string) {
  return { ...key({ title, description }, "pk_"), expected: "a publishable key, which begins with pk_" };
}

function secretKey(title: string, description: string) {
  const rule = { pattern: "^(?!pk_)[\\x21-\\x7e]+$", expected: "a secret key, which begins with sk_ or rk_" };
  return { ...key({ title, description }), ...rule };
}

function webhookSecret(title: string) {
  const description = "Signs the messages of Stripe, so that a payment counts after its tab was closed.";
  return key({ title, description, isAdvanced: true }, "whsec_");
}
