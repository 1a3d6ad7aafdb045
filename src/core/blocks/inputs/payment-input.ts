import { type Static, Type } from "@sinclair/typebox";
import { textMessage } from "../../interpreter/evaluation/text-content.ts";
import { textAt, valueAt } from "../../interpreter/flow.ts";
import { defineInput, type Preparation } from "../../interpreter/program/block.ts";
import type { Effect, MoneyUnits } from "../../interpreter/program/effect.ts";
import type { AskedInput, Message, ReplyOutcome, ReplyVerdict, StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Charge, chargeOf, labelOf, labelOfUnits, wholeUnits } from "../../payments/currencies.ts";
import { advanced, helped, marked, option, titled } from "../options.ts";
import examples from "./examples.json";
import { shownOptions } from "./helpers.ts";

const retryMessage = "Payment failed. Please, try again.";
const defaultCurrency = "USD";
const defaultSuccess = "Success";
/** The reply that clients send when the provider's payment form has failed. */
const failed = "fail";
const processing = "Your payment is being processed. The chat continues as soon as it is confirmed.";
const checking = "Your payment is being checked. The chat continues as soon as it is confirmed.";

const optionsSchema = Type.Object({
  credentialsId: titled(
    "Stripe account",
    option.credentials("Id of the provider's credentials, which is never sent to visitors.", {
      credentialsType: "stripe",
    }),
  ),
  amount: helped(
    "In the main unit of the currency and not in cents, such as `12.50`.",
    option.text("The amount to pay, in the main unit of the currency and not in cents: `12.50`."),
  ),
  currency: option.currency("Code of the currency.", defaultCurrency),
  labels: option.labels({
    button: option.text("Label of the button that pays.", "Pay"),
    success: titled(
      "After payment",
      option.text("Answer that is stored after a payment, unless the client's reply contains another text.", "Success"),
    ),
  }),
  variableId: option.answerVariable,
  retryMessageContent: option.retryMessage(retryMessage),
  provider: advanced(option.word(["Stripe"], "The payment provider.", "Stripe")),
  failure: marked(
    { title: "If payment is not possible", isAdvanced: true },
    option.part("Behaviour if the payment is not possible.", {
      outgoingEdgeId: option.leadsTo(
        "Id of the edge to follow if the payment is not possible. Without it, the chat ends.",
      ),
      message: helped(
        "Leave it empty to show a standard message in the language of the page.",
        option.longText("The message to the visitor. Defaults to a standard message in the page's language."),
      ),
      isSkipOffered: helped(
        "Shows a button with which visitors continue without paying.",
        option.flag(
          "Without `outgoingEdgeId`: whether a button lets the visitor continue without paying. Otherwise the chat ends.",
          false,
        ),
      ),
    }),
  ),
  additionalInformation: advanced(
    helped(
      "Stripe gets the description and the e-mail address; clients get all these details.",
      option.part(
        "Additional details. The provider gets the description and the e-mail address; the client gets all of them. Variables are replaced with their values.",
        {
          description: option.text("Purpose of the payment."),
          name: option.text("Name of the payer."),
          email: helped("The receipt is sent to this address.", option.text("E-mail address for the receipt.")),
          phoneNumber: option.text("Phone number of the payer."),
          address: option.part("Address of the payer.", {
            country: option.text("Country of the payer."),
            line1: titled("First line", option.text("First line of the address.")),
            line2: titled("Second line", option.text("Second line of the address.")),
            state: option.text("State or region."),
            city: option.text("City."),
            postalCode: option.text("Postal code."),
          }),
        },
      ),
    ),
  ),
});

const shown = Type.Object({
  options: Type.Optional(Type.Omit(optionsSchema, ["credentialsId", "failure"])),
  runtimeOptions: option.part("Data that the client needs to collect the payment.", {
    paymentIntentSecret: Type.Optional(
      Type.String({ description: "Secret with which the provider's form collects this payment." }),
    ),
    publicKey: Type.Optional(Type.String({ description: "Public key of the provider's account." })),
    amountLabel: Type.String({ description: "The amount, formatted for display." }),
    pageUrl: Type.Optional(
      Type.String({
        description: "URL of a page for this payment only, valid for 24 hours, which the client can open in a new tab.",
      }),
    ),
    isSimulated: Type.Optional(
      Type.Literal(true, {
        description:
          "True in a preview without test keys: any text counts as paid, and `fail` counts as failed. Nothing is charged.",
      }),
    ),
    isSkipOffered: Type.Optional(
      Type.Literal(true, {
        description:
          "True if the payment is not possible and the visitor can continue without paying. Any reply then continues the chat.",
      }),
    ),
  }),
});

type Options = Static<typeof optionsSchema>;

export const paymentInput = defineInput({
  type: "payment input",
  inputType: "payment",
  takesStartMessage: false,
  summary: "Requests a payment. A reply counts only if the provider confirms the payment.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  shown,
  advice({ options }) {
    const { credentialsId, failure } = options ?? {};
    if (credentialsId || failure?.outgoingEdgeId || failure?.isSkipOffered) return undefined;
    return "Without credentials, payments are not possible, so chats end at this block. Choose credentials, or connect “If payment is not possible” in the block's form.";
  },
  prepareAsk({ id, options = {} }, view, kept, isSameVisit) {
    const { credentialsId } = options;
    if (!credentialsId) return unavailable({ id, options }, view, "The payment block has no credentials");
    const amount = amountOf(options, view);
    if (amount === undefined)
      return unavailable({ id, options }, view, "The amount is not a number", view.text(options.amount));
    const charge = chargeOf(amount, currencyOf(options, view));
    if (!charge) {
      const asked = `${amount} ${currencyOf(options, view)}`;
      return unavailable({ id, options }, view, "The provider cannot charge this amount in this currency", asked);
    }
    return { effect: paymentEffect(options, { credentialsId, charge, kept, isSameVisit }, view) };
  },
  report({ id, options = {} }, view, report, kept) {
    const charge = chargeNow(options, view);
    if (report.kind === "refused" && report.isAway) {
      // The visitor may already have paid in a form that was shown earlier. Only the provider can report the outcome of
      // that payment.
      const before = charge && shownBefore(kept, charge);
      if (before) return { ...before, produced: { logs: awayLogs(kept, report.reason) } };
    }
    if (report.kind !== "payment" || charge === undefined) {
      const reason = report.kind === "refused" ? report.reason : undefined;
      return unavailable({ id, options }, view, "The payment could not be prepared", reason);
    }
    if ("isSimulated" in report) {
      return {
        shown: { runtimeOptions: { isSimulated: true, amountLabel: charge.label } },
        kept: { isSimulated: true },
      };
    }
    const { paymentIntentSecret, publicKey, paymentId, charged, pageUrl } = report;
    const amountLabel = charged ? labelOfUnits(charged) : charge.label;
    const page = pageUrl !== undefined && { pageUrl };
    const runtimeOptions = { paymentIntentSecret, publicKey, amountLabel, ...page };
    const asked: MoneyUnits = { currency: charge.currency, units: charge.units };
    return {
      shown: { runtimeOptions },
      ...(paymentId !== undefined && { kept: { paymentId, asked, shown: runtimeOptions } }),
    };
  },
  ask: ({ options }, view) => shownOptions(options, view, undefined, ["credentialsId", "failure"]),
  reply({ options }, view, reply, kept) {
    if (flagAt(kept, "isSkipOffered")) return { kind: "skipped" };
    const success = view.text(options?.labels?.success) || defaultSuccess;
    if (reply?.type !== "text" || reply.text === failed) return refused(options, view);
    const content = reply.text || success;
    if (flagAt(kept, "isSimulated")) return { kind: "accepted", content };
    const paymentId = textAt(kept, "paymentId");
    return paymentId === undefined ? refused(options, view) : checkOf(paymentId, content, chargeNow(options, view));
  },
  paid({ options }, view, { paymentId }, kept) {
    if (paymentId !== textAt(kept, "paymentId")) return refused(options, view);
    const content = view.text(options?.labels?.success) || defaultSuccess;
    return checkOf(paymentId, content, chargeNow(options, view));
  },
  // A client's report is not proof of payment. The payment counts only if the provider confirms it.
  replyReport({ options }, view, report, memo, kept) {
    if (report.kind === "refused" && report.isAway) {
      return {
        ...{ kind: "invalid", message: checking, notice: { code: "payment.checking" }, isPatient: true },
        logs: awayLogs(kept, report.reason),
        // Shows the previous form again, so that no request is sent to the unavailable provider.
        ...(valueAt(kept, "shown") !== undefined && { prepared: asBefore(kept) }),
      };
    }
    if (report.kind !== "paymentCheck") {
      const details = report.kind === "refused" ? { details: report.reason } : {};
      const description = "The provider did not respond to the question whether this was paid";
      return { ...refused(options, view), logs: [{ status: "error", description, ...details }] };
    }
    const { status, paid } = report;
    if (status === "succeeded") {
      const logs = paid && [moneyLog("info", "The paid amount is higher than the requested amount", paid)];
      return { kind: "accepted", content: textAt(memo, "content") ?? defaultSuccess, ...(logs && { logs }) };
    }
    if (status !== "processing") {
      const logs = paid && [moneyLog("error", "A payment was made that does not match the requested amount", paid)];
      return { ...refused(options, view), ...(logs && { logs }) };
    }
    return { kind: "invalid", message: processing, notice: { code: "payment.processing" }, isPatient: true };
  },
  ways({ options }) {
    const edgeId = textAt(options, "failure", "outgoingEdgeId");
    const failure = edgeId === undefined ? [] : [{ kind: "edge", edgeId, at: "options.failure" } as const];
    const isStuck = textAt(options, "credentialsId") === undefined && !flagAt(options, "failure", "isSkipOffered");
    return {
      waits: true,
      ways: [{ kind: "on" }, ...failure],
      ...(isStuck && { stuck: "it requests a payment without credentials" }),
    };
  },
  editor: {
    name: "Payment",
    icon: "credit-card",
    words: ["pay", "stripe", "money", "card", "checkout", "price"],
    row: ["{options.amount} {options.currency}"],
    related: [],
  },
  examples: examples["payment input"],
});

/**
 * Requests a check of whether the payment was made. `charge`: the amount that the block currently requests, which may
 * be larger than the amount shown to the visitor.
 */
function checkOf(paymentId: string, content: string, charge: Charge | undefined): ReplyOutcome {
  const asked = charge && { asked: { currency: charge.currency, units: charge.units } };
  return { kind: "perform", effect: { kind: "paymentCheck", paymentId, ...asked }, memo: { content } };
}

/**
 * Returns the payment that the input showed before, or undefined if there is none for the same charge. A payment shown
 * by an earlier release is returned for any charge, without its form.
 */
function shownBefore(kept: unknown, { currency, units, label }: Charge): AskedInput | undefined {
  if (textAt(kept, "paymentId") === undefined) return undefined;
  const asked = valueAt(kept, "asked");
  if (asked === undefined) return { shown: { runtimeOptions: { amountLabel: label } }, kept };
  return valueAt(asked, "units") === units && textAt(asked, "currency") === currency ? asBefore(kept) : undefined;
}

function asBefore(kept: unknown): AskedInput {
  return { shown: { runtimeOptions: valueAt(kept, "shown") }, kept: { ...Object(kept), isAway: true } };
}

/** Returns a log entry only for the first request to an unavailable provider. */
function awayLogs(kept: unknown, details: string): StepLog[] {
  if (flagAt(kept, "isAway")) return [];
  return [
    { status: "error", description: "The provider did not respond to the question whether this was paid", details },
  ];
}

function moneyLog(status: "info" | "error", description: string, paid: MoneyUnits): StepLog {
  return { status, description, details: `${wholeUnits(paid)} ${paid.currency}`, context: "Payment" };
}

function flagAt(value: unknown, ...path: readonly string[]): boolean {
  return valueAt(value, ...path) === true;
}

function paymentEffect(
  options: Options,
  {
    credentialsId,
    charge,
    kept,
    isSameVisit,
  }: { credentialsId: string; charge: Charge; kept: unknown; isSameVisit: boolean },
  view: View,
): Effect {
  const paymentId = textAt(kept, "paymentId");
  const description = view.text(options.additionalInformation?.description);
  const receiptEmail = view.text(options.additionalInformation?.email);
  return {
    kind: "payment",
    ...(paymentId !== undefined && { paymentId, ...(!isSameVisit && ({ isNewVisit: true } as const)) }),
    credentialsId,
    currency: charge.currency,
    amount: charge.units,
    ...(description !== "" && { description }),
    ...(receiptEmail !== "" && { receiptEmail }),
  };
}

function amountOf(options: Options, view: View): number | undefined {
  const text = view.text(options.amount).trim();
  const amount = Number(text);
  return text === "" || !Number.isFinite(amount) ? undefined : amount;
}

function chargeNow(options: Options | undefined, view: View): Charge | undefined {
  const amount = amountOf(options ?? {}, view);
  return amount === undefined ? undefined : chargeOf(amount, currencyOf(options ?? {}, view));
}

function currencyOf(options: Options, view: View): string {
  return (view.text(options.currency).trim() || defaultCurrency).toUpperCase();
}

function refused(options: Options | undefined, view: View): Extract<ReplyVerdict, { kind: "invalid" }> {
  return { kind: "invalid", message: view.text(options?.retryMessageContent) || retryMessage };
}

/**
 * Handles a payment that cannot be made. A message informs the visitor, and the flow continues by the failure edge,
 * never by the edge for a completed payment. Without a failure edge, the input offers a skip button if the author
 * enabled it, and otherwise the chat ends.
 */
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
  if (options.failure?.isSkipOffered) {
    const amountLabel = dueOf(options, view) ?? "";
    const isSkipOffered = true;
    return {
      shown: { runtimeOptions: { amountLabel, isSkipOffered } },
      kept: { isSkipOffered },
      produced: { messages, logs },
    };
  }
  logs.push({
    status: "error",
    description: "The chat ended at a payment, because “If payment is not possible” is not connected",
  });
  return { instead: { kind: "end", messages, logs } };
}

function unavailableMessage(id: string, options: Options, view: View): Message {
  const own = view.text(options.failure?.message);
  if (own !== "") return textMessage(id, own, view.contentFormat);
  const amount = amountOf(options, view);
  const currency = currencyOf(options, view);
  const label = dueOf(options, view);
  const due = label === undefined ? "A payment" : `A payment of ${label}`;
  const sentence = `${due} is due here, which is not possible in this chat. Please ask the person who sent you here how to pay.`;
  const notice = { code: "payment.unavailable", ...(amount !== undefined && { amount, currency }) } as const;
  return { ...textMessage(id, sentence, view.contentFormat), notice };
}

/** Returns the amount due in a human-readable format, or undefined if there is no valid amount. */
function dueOf(options: Options, view: View): string | undefined {
  const amount = amountOf(options, view);
  const currency = currencyOf(options, view);
  return amount === undefined ? undefined : (chargeOf(amount, currency)?.label ?? labelOf(amount, currency));
}
