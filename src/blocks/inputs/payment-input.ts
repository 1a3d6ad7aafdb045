import { type Static, Type } from "@sinclair/typebox";
import { defineInput, type Preparation } from "../../interpreter/block.ts";
import type { Effect } from "../../interpreter/effect.ts";
import type { View } from "../../interpreter/view.ts";
import { answerVariableOption, retryMessageOption, textOption, wordOption } from "../options.ts";
import { shownOptions } from "./helpers.ts";

const retryMessage = "Payment failed. Please, try again.";
const defaultCurrency = "USD";

const optionsSchema = Type.Object({
  variableId: answerVariableOption,
  provider: wordOption(["Stripe"], "Who handles the payment.", "Stripe"),
  labels: Type.Optional(
    Type.Object({
      button: textOption("Label of the button that pays.", "Pay"),
      success: textOption("Said when the payment was made.", "Success"),
    }),
  ),
  credentialsId: textOption("Id of the credentials at the provider; never sent to a visitor."),
  currency: textOption("Code of the currency.", defaultCurrency),
  amount: textOption("What is to be paid, in whole units of the currency: `12.50`."),
  retryMessageContent: retryMessageOption(retryMessage),
  additionalInformation: Type.Optional(
    Type.Object({
      description: textOption("What is paid for."),
      name: textOption("Name of who pays."),
      email: textOption("Where the receipt goes."),
      phoneNumber: textOption("Phone number of who pays."),
      address: Type.Optional(
        Type.Object({
          country: textOption("Country of who pays."),
          line1: textOption("First line of the address."),
          line2: textOption("Second line of the address."),
          state: textOption("State or region."),
          city: textOption("City."),
          postalCode: textOption("Postal code."),
        }),
      ),
    }),
  ),
});

type Options = Static<typeof optionsSchema>;

/** Currencies without a smaller unit. */
const wholeCurrencies = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF".split(" "));

export const paymentInput = defineInput({
  type: "payment input",
  inputType: "payment",
  takesStartMessage: false,
  summary: "Asks for a payment. A reply counts only when the provider confirms the payment, whatever the client says.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  prepareAsk({ options = {} }, view) {
    const { credentialsId } = options;
    if (!credentialsId) return notPrepared("The payment block has no credentials");
    const amount = amountOf(options, view);
    if (amount === undefined) return notPrepared("The amount is not a number", view.text(options.amount));
    return { effect: paymentEffect(options, { credentialsId, amount }, view) };
  },
  report({ options = {} }, view, report) {
    if (report.kind === "refused") return notPrepared("The payment could not be prepared", report.reason);
    const amount = amountOf(options, view);
    if (report.kind !== "payment" || amount === undefined) return {};
    const { paymentIntentSecret, publicKey } = report;
    const amountLabel = labelOf(amount, currencyOf(options, view));
    return { shown: { runtimeOptions: { paymentIntentSecret, publicKey, amountLabel } } };
  },
  ask({ options }, view) {
    const { credentialsId: _, ...rest } = options ?? {};
    return shownOptions(options && rest, view);
  },
  // A client's word is no proof, and the provider is not asked yet: every reply is refused.
  reply: ({ options }, view) => ({ kind: "invalid", message: view.text(options?.retryMessageContent) || retryMessage }),
  examples: [
    {
      title: "The visitor never sees which credentials are used; without any the author is told in the log.",
      block: { options: { amount: "{{Price}}", currency: "EUR", labels: { button: "Pay {{Price}}" } } },
      variables: { Price: "12.5" },
      expect: { input: { options: { amount: "12.5", currency: "EUR", labels: { button: "Pay 12.5" } } } },
    },
    {
      title: "A payment that the provider did not confirm is asked for again.",
      block: { options: { amount: "5" } },
      reply: "Success",
      expect: { answer: null, messages: [{ type: "text", content: { plainText: retryMessage } }] },
    },
  ],
});

function paymentEffect(
  options: Options,
  { credentialsId, amount }: { credentialsId: string; amount: number },
  view: View,
): Effect {
  const currency = currencyOf(options, view);
  const description = view.text(options.additionalInformation?.description);
  const receiptEmail = view.text(options.additionalInformation?.email);
  return {
    kind: "payment",
    credentialsId,
    currency,
    amount: Math.round(amount * unitsIn(currency)),
    ...(description !== "" && { description }),
    ...(receiptEmail !== "" && { receiptEmail }),
  };
}

function amountOf(options: Options, view: View): number | undefined {
  const text = view.text(options.amount).trim();
  const amount = Number(text);
  return text === "" || !Number.isFinite(amount) ? undefined : amount;
}

function currencyOf(options: Options, view: View): string {
  return (view.text(options.currency) || defaultCurrency).toUpperCase();
}

function unitsIn(currency: string): number {
  return wholeCurrencies.has(currency) ? 1 : 100;
}

/** The amount that is paid, as people write it. */
function labelOf(amount: number, currency: string): string {
  const paid = Math.round(amount * unitsIn(currency)) / unitsIn(currency);
  if (!/^[A-Z]{3}$/.test(currency)) return `${paid} ${currency}`;
  return new Intl.NumberFormat(currency === "EUR" ? "fr-FR" : "en-US", { style: "currency", currency }).format(paid);
}

function notPrepared(description: string, details?: string): Preparation {
  return { logs: [{ status: "error", description, ...(details !== undefined && { details }) }] };
}
