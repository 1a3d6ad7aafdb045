import { type Static, Type } from "@sinclair/typebox";
import { textMessage } from "../../interpreter/evaluation/text-content.ts";
import { textAt } from "../../interpreter/flow.ts";
import { defineInput, type Preparation } from "../../interpreter/program/block.ts";
import type { Effect } from "../../interpreter/program/effect.ts";
import type { Message, StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { advanced, marked, option, titled } from "../options.ts";
import { shownOptions } from "./helpers.ts";

const retryMessage = "Payment failed. Please, try again.";
const defaultCurrency = "USD";

const optionsSchema = Type.Object({
  variableId: option.answerVariable,
  provider: option.word(["Stripe"], "The payment provider.", "Stripe"),
  labels: option.labels({
    button: option.text("Label of the button that pays.", "Pay"),
    success: titled("After payment", option.text("Message after the payment.", "Success")),
  }),
  credentialsId: option.credentials("Id of the provider's credentials. It is never sent to visitors.", {
    credentialsType: "stripe",
  }),
  currency: option.currency("Code of the currency.", defaultCurrency),
  amount: option.text("The amount to pay, in whole units of the currency: `12.50`."),
  retryMessageContent: option.retryMessage(retryMessage),
  failure: marked(
    { title: "When it cannot be taken", isAdvanced: true },
    option.part("Behaviour if the payment cannot be taken.", {
      outgoingEdgeId: option.leadsTo(
        "Id of the edge that the flow takes if the payment cannot be taken. Without it, the chat ends.",
      ),
      message: option.longText("The message to the visitor; absent: a sentence in the page's language."),
    }),
  ),
  additionalInformation: advanced(
    option.part("Further details for the provider; variables are replaced.", {
      description: option.text("Purpose of the payment."),
      name: option.text("Name of the payer."),
      email: option.text("E-mail address for the receipt."),
      phoneNumber: option.text("Phone number of the payer."),
      address: option.part("Address of the payer.", {
        country: option.text("Country of the payer."),
        line1: titled("First line", option.text("First line of the address.")),
        line2: titled("Second line", option.text("Second line of the address.")),
        state: option.text("State or region."),
        city: option.text("City."),
        postalCode: option.text("Postal code."),
      }),
    }),
  ),
});

const shown = Type.Object({
  options: Type.Optional(Type.Omit(optionsSchema, ["credentialsId", "failure"])),
  runtimeOptions: option.part("Data with which the client takes the payment.", {
    paymentIntentSecret: Type.String({ description: "Secret with which the provider's form takes this payment." }),
    publicKey: Type.String({ description: "The public key of the provider's account." }),
    amountLabel: Type.String({ description: "The amount, formatted for display." }),
  }),
});

type Options = Static<typeof optionsSchema>;

/** Currencies without a smaller unit. */
const wholeCurrencies = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF".split(" "));

export const paymentInput = defineInput({
  type: "payment input",
  inputType: "payment",
  takesStartMessage: false,
  summary: "Asks for a payment. A reply counts only if the provider confirms the payment.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  shown,
  advice({ options }) {
    if (options?.failure?.outgoingEdgeId) return undefined;
    return "No payment provider is connected here, so chats end at this block. Choose where the flow goes on: “When it cannot be taken” in its form.";
  },
  prepareAsk({ id, options = {} }, view) {
    const { credentialsId } = options;
    if (!credentialsId) return unavailable({ id, options }, view, "The payment block has no credentials");
    const amount = amountOf(options, view);
    if (amount === undefined)
      return unavailable({ id, options }, view, "The amount is not a number", view.text(options.amount));
    return { effect: paymentEffect(options, { credentialsId, amount }, view) };
  },
  report({ id, options = {} }, view, report) {
    const amount = amountOf(options, view);
    if (report.kind !== "payment" || amount === undefined) {
      const reason = report.kind === "refused" ? report.reason : undefined;
      return unavailable({ id, options }, view, "The payment could not be prepared", reason);
    }
    const { paymentIntentSecret, publicKey } = report;
    const amountLabel = labelOf(amount, currencyOf(options, view));
    return { shown: { runtimeOptions: { paymentIntentSecret, publicKey, amountLabel } } };
  },
  ask({ options }, view) {
    const { credentialsId: _, failure: __, ...rest } = options ?? {};
    return shownOptions(options && rest, view);
  },
  // A client's report proves nothing, and the provider is not asked yet: every reply is refused.
  reply: ({ options }, view) => ({ kind: "invalid", message: view.text(options?.retryMessageContent) || retryMessage }),
  ways({ options }) {
    const edgeId = textAt(options, "failure", "outgoingEdgeId");
    const failure = edgeId === undefined ? [] : [{ kind: "edge", edgeId, at: "options.failure" } as const];
    return { waits: true, ways: [{ kind: "on" }, ...failure], stuck: "payments cannot be taken here" };
  },
  editor: {
    name: "Payment",
    icon: "credit-card",
    words: ["pay", "stripe", "money", "card", "checkout", "price"],
    row: ["{options.amount} {options.currency}"],
    related: [],
  },
  examples: [
    {
      title: "If the payment cannot be taken, the flow takes the edge for that case.",
      block: {
        outgoingEdgeId: "paid",
        options: {
          amount: "{{Price}}",
          failure: { outgoingEdgeId: "not paid", message: "Please pay {{Price}} by invoice." },
        },
      },
      variables: { Price: "12.5" },
      expect: {
        messages: [
          { type: "text", content: { plainText: "Please pay 12.5 by invoice." } },
          { type: "text", content: { plainText: "not paid" } },
        ],
      },
    },
    {
      title: "Without such an edge the chat ends there, and the log says why.",
      block: { outgoingEdgeId: "paid", options: { amount: "5" } },
      expect: {
        messages: [
          {
            type: "text",
            content: {
              plainText:
                "A payment of $5.00 is due here, which cannot be made in this chat. Please ask the person who sent you here how to pay.",
            },
            notice: { code: "payment.unavailable", amount: 5, currency: "USD" },
          },
        ],
      },
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

/** The payment cannot be taken: a message says so, and the flow leaves by the edge for that, never by the edge of a payment made. */
function unavailable(
  { id, options }: { id: string; options: Options },
  view: View,
  description: string,
  details?: string,
): Preparation {
  const edgeId = options.failure?.outgoingEdgeId;
  const hasEdge = edgeId !== undefined && view.program.edges.has(edgeId);
  const logs: StepLog[] = [{ status: "error", description, ...(details !== undefined && { details }) }];
  const messages = [unavailableMessage(id, options, view)];
  if (hasEdge) return { instead: { kind: "leave", edgeId, messages, logs } };
  logs.push({
    status: "error",
    description: "The chat ended at a payment: no edge is drawn for one that cannot be taken",
  });
  return { instead: { kind: "end", messages, logs } };
}

function unavailableMessage(id: string, options: Options, view: View): Message {
  const own = view.text(options.failure?.message);
  if (own !== "") return textMessage(id, own, view.contentFormat);
  const amount = amountOf(options, view);
  const currency = currencyOf(options, view);
  const due = amount === undefined ? "A payment" : `A payment of ${labelOf(amount, currency)}`;
  const sentence = `${due} is due here, which cannot be made in this chat. Please ask the person who sent you here how to pay.`;
  const notice = { code: "payment.unavailable", ...(amount !== undefined && { amount, currency }) } as const;
  return { ...textMessage(id, sentence, view.contentFormat), notice };
}
