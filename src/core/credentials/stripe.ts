import { Type } from "@sinclair/typebox";
import { type CredentialsData, type CredentialsKind, textIn } from "./kind.ts";
import { key } from "./members.ts";

/** The name that the operator uses to move Stripe to another origin. */
export const stripeServer = "stripe";

const ownUrl = "https://api.stripe.com";

const ofPreviews = { description: "The key that previews use.", help: "For previews." };

export const stripe: CredentialsKind = {
  type: "stripe",
  name: "Stripe",
  summary: "Payments of visitors. Previews use the test keys.",
  page: "payments.md",
  schema: Type.Object({
    livePublicKey: publicKey({
      title: "Live publishable key",
      description: "The key with which the page collects payments. Visitors can read it.",
      help: "Begins with `pk_live_`; visitors can read it.",
    }),
    liveSecretKey: secretKey({
      title: "Live secret key",
      description: "The secret key, or a restricted key that may write payment intents and Checkout Sessions.",
      help: "A restricted key must be able to write payment intents and Checkout Sessions.",
    }),
    testPublicKey: Type.Optional(publicKey({ title: "Test publishable key", ...ofPreviews })),
    testSecretKey: Type.Optional(secretKey({ title: "Test secret key", ...ofPreviews })),
    liveWebhookSecret: Type.Optional(webhookSecret("Live webhook secret")),
    testWebhookSecret: Type.Optional(webhookSecret("Test webhook secret")),
  }),
  trial: { kind: "call", path: "/v1/balance" },
  secretMembers: ["liveSecretKey", "testSecretKey", "liveWebhookSecret", "testWebhookSecret"],
  destination: () => ownUrl,
  service: {
    name: stripeServer,
    isBilled: false,
    ownUrl,
    baseUrl: () => ownUrl,
    sign: (data) => ({ headers: [["Authorization", `Bearer ${textIn(data, "liveSecretKey") ?? ""}`]] }),
  },
};

/**
 * Returns facts about payment credentials for the linter. The prefix of a Stripe key shows whether it is a test key.
 */
export function paymentFacts(data: CredentialsData): { readonly isTest: boolean; readonly hasWebhook: boolean } {
  return {
    isTest: /^[rs]k_test_/.test(textIn(data, "liveSecretKey") ?? ""),
    hasWebhook: textIn(data, "liveWebhookSecret") !== undefined,
  };
}

type KeyWords = { readonly title: string; readonly description: string; readonly help: string };

/** Defines a key that visitors can read, so the field rejects secret keys. */
function publicKey(words: KeyWords) {
  return { ...key(words, "pk_"), expected: "a publishable key, which begins with pk_" };
}

function secretKey(words: KeyWords) {
  const rule = { pattern: "^(?!pk_)[\\x21-\\x7e]+$", expected: "a secret key, which begins with sk_ or rk_" };
  return { ...key(words), ...rule };
}

function webhookSecret(title: string) {
  const description =
    "The secret with which Stripe signs its reports. With it, a payment counts even if the visitor has closed the tab.";
  const help = "Confirms payments even if the visitor closes the tab.";
  return key({ title, description, help, isAdvanced: true }, "whsec_");
}
