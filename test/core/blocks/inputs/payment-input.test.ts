import { describe, expect, test } from "bun:test";
import type { Report } from "../../../../src/core/interpreter/program/effect.ts";
import { play } from "../one-block.ts";

const options = {
  credentialsId: "cred-1",
  amount: "{{Price}}",
  currency: "EUR",
  additionalInformation: { description: "For {{Name}}", email: "{{Mail}}", name: "{{Name}}" },
};
const block = { type: "payment input", options };
const variables = { Price: "12.345", Name: "Bob", Mail: "bob@example.com" };
const granted = { kind: "payment", paymentIntentSecret: "secret", publicKey: "pk" } as const;

describe("a payment", () => {
  test("a payment is requested in the smallest unit of its currency", () => {
    const { asked } = play({ block, variables, report: granted });
    expect(asked.effects).toEqual([
      {
        kind: "payment",
        credentialsId: "cred-1",
        currency: "EUR",
        amount: 1235,
        description: "For Bob",
        receiptEmail: "bob@example.com",
      },
    ]);
    expect(asked.input).toEqual({
      id: "block",
      type: "payment input",
      options: {
        amount: "12.345",
        currency: "EUR",
        additionalInformation: { description: "For Bob", email: "bob@example.com", name: "Bob" },
      },
      runtimeOptions: { paymentIntentSecret: "secret", publicKey: "pk", amountLabel: "12,35\u00a0€" },
    });
  });

  test.each([
    ["1e3", "EUR", { amount: 100_000, currency: "EUR" }],
    [" 5 ", "eur", { amount: 500, currency: "EUR" }],
    ["5", "", { amount: 500, currency: "USD" }],
    ["5", undefined, { amount: 500, currency: "USD" }],
  ])(
    "a payment with the amount %j and the currency %j is created with a normalised amount and currency",
    (amount, currency, charged) => {
      const { asked } = play({ block: { ...block, options: { ...options, amount, currency } }, variables });
      expect(asked.effects).toMatchObject([charged]);
    },
  );

  test("a payment shows the amount that the provider reports as charged", () => {
    const charged = { currency: "UGX", units: 500 };
    const { asked } = play({ block, variables, report: { ...granted, charged } });
    expect(asked.input).toMatchObject({ runtimeOptions: { amountLabel: "UGX\u00a05" } });
  });

  const unavailable = (due: string) =>
    `${due} is due here, which is not possible in this chat. Please ask the person who sent you here how to pay.`;
  const atTheEnd = {
    status: "error",
    description: "The chat ended at a payment, because “If payment is not possible” is not connected",
  };

  test("a payment that cannot be created ends the chat with a message", () => {
    const { asked } = play({ block: { ...block, outgoingEdgeId: "paid" }, variables });

    expect(asked).toMatchObject({ input: null, edge: null, answer: null });
    expect(asked.messages).toMatchObject([
      {
        id: "block",
        content: { plainText: unavailable("A payment of 12,35\u00a0€") },
        notice: { code: "payment.unavailable", amount: 12.345, currency: "EUR" },
      },
    ]);
    expect(asked.logs).toEqual([
      {
        status: "error",
        description: "The payment could not be prepared",
        details: "not in this test",
      },
      atTheEnd,
    ]);
  });

  test.each([
    ["a payment without credentials", { amount: "5" }, "The payment block has no credentials", "A payment of $5.00"],
    ["a payment without an amount", { credentialsId: "c" }, "The amount is not a number", "A payment"],
    ...["{{Name}}", "12,50", "NaN", "Infinity", ""].map(
      (amount) =>
        [
          `a payment of ${JSON.stringify(amount)}`,
          { credentialsId: "c", amount },
          "The amount is not a number",
          "A payment",
        ] as const,
    ),
    ...(
      [
        ["-1", "USD", "-$1.00"],
        ["0", "USD", "$0.00"],
        ["0.004", "USD", "$0.00"],
        ["1000000", "USD", "$1,000,000.00"],
        ["1000000000000", "JPY", "¥1,000,000,000,000"],
        ["5", "euro", "5 EURO"],
      ] as const
    ).map(
      ([amount, currency, due]) =>
        [
          `a payment of ${amount} ${currency}`,
          { credentialsId: "c", amount, currency },
          "The provider cannot charge this amount in this currency",
          `A payment of ${due}`,
        ] as const,
    ),
  ])("%s ends the chat with a log entry, and nothing is created at the provider", (_, stored, description, due) => {
    const { asked } = play({
      block: { type: "payment input", options: stored, outgoingEdgeId: "paid" },
      variables,
      report: granted,
    });
    expect(asked).toMatchObject({
      effects: [],
      input: null,
      edge: null,
      messages: [{ content: { plainText: unavailable(due) } }],
      logs: [{ status: "error", description }, atTheEnd],
    });
  });

  test("a payment that cannot be created can be skipped if the author allows it", () => {
    const scene = play({ block: { ...block, options: { ...options, failure: { isSkipOffered: true } } }, variables });
    expect(scene.asked).toMatchObject({
      messages: [{ notice: { code: "payment.unavailable" } }],
      input: { runtimeOptions: { isSkipOffered: true, amountLabel: "12,35\u00a0€" } },
      logs: [{ description: "The payment could not be prepared" }],
    });
    expect(scene.say("Continue")).toMatchObject({ answer: null, messages: [], input: null });
  });

  test("a payment that cannot be created follows its failure edge after a message", () => {
    const failing = (failure: object) =>
      play({ block: { ...block, outgoingEdgeId: "paid", options: { ...options, failure } }, variables }).asked;

    const ours = failing({ outgoingEdgeId: "unpaid" });
    expect(ours).toMatchObject({
      edge: "unpaid",
      input: null,
      logs: [{ description: "The payment could not be prepared" }],
    });
    expect(ours.messages).toMatchObject([{ notice: { code: "payment.unavailable" } }, { id: "unpaid" }]);
    const own = failing({ outgoingEdgeId: "unpaid", message: "Please pay by invoice, {{Name}}." });
    expect(own.messages).toMatchObject([{ content: { plainText: "Please pay by invoice, Bob." } }, { id: "unpaid" }]);
    expect(own.messages[0]).not.toHaveProperty("notice");
  });

  test("a failed payment with a missing failure edge ends the chat", () => {
    const failing = { ...options, failure: { outgoingEdgeId: "unpaid" } };
    const scene = { block: { type: "payment input", options: failing, outgoingEdgeId: "paid" }, variables };
    expect(play(scene).asked).toMatchObject({ edge: "unpaid" });
    expect(play({ ...scene, missingEdges: ["unpaid"] }).asked).toMatchObject({ edge: null, input: null });
  });

  test("a payment hides its credentials and failure settings from clients", () => {
    const { asked } = play({
      block: { ...block, options: { ...options, failure: { outgoingEdgeId: "unpaid" } } },
      variables,
      report: granted,
    });
    expect(asked.input).not.toHaveProperty("options.failure");
    expect(asked.input).not.toHaveProperty("options.credentialsId");
  });

  /** Plays a prepared payment for which the provider returns the report. */
  const checked = (report: Report, stored: object = {}) =>
    play({
      block: { ...block, outgoingEdgeId: "paid", options: { ...options, variableId: "v_Paid", ...stored } },
      variables: { ...variables, Paid: null },
      report: ({ kind }) => (kind === "payment" ? { ...granted, paymentId: "pay-1" } : report),
    });

  test("a reply completes a payment if the provider confirms the payment", () => {
    const scene = checked({ kind: "paymentCheck", status: "succeeded" });
    expect(scene.say("Thanks")).toMatchObject({ answer: "Thanks", variables: { Paid: "Thanks" }, edge: "paid" });
    expect(scene.asked.effects.slice(1)).toEqual([
      { kind: "paymentCheck", paymentId: "pay-1", asked: { currency: "EUR", units: 1235 } },
    ]);
  });

  test("a payment report completes a payment only if the payment ids match", () => {
    const scene = checked({ kind: "paymentCheck", status: "succeeded" }, { labels: { success: "Thanks, {{Name}}" } });
    expect(scene.say({ type: "payment", paymentId: "pay-2" })).toMatchObject({ answer: null });
    expect(scene.say({ type: "payment", paymentId: "pay-1" })).toMatchObject({
      answer: "Thanks, Bob",
      variables: { Paid: "Thanks, Bob" },
    });
  });

  test.each([
    ["open", "Payment failed. Please, try again."],
    ["canceled", "Payment failed. Please, try again."],
    ["processing", "Your payment is being processed. The chat continues as soon as it is confirmed."],
  ] as const)("a payment that is %s is requested again as the same payment", (status, plainText) => {
    const scene = checked({ kind: "paymentCheck", status });
    expect(scene.say("Success")).toMatchObject({
      answer: null,
      messages: [{ content: { plainText } }],
      input: { runtimeOptions: { paymentIntentSecret: "secret" } },
    });
    expect(scene.asked.effects.at(-1)).toMatchObject({ kind: "payment", paymentId: "pay-1" });
  });

  test("a payment that cannot be checked is requested again", () => {
    const said = checked({ kind: "refused", reason: "No answer" }).say("Success");
    expect(said).toMatchObject({
      answer: null,
      messages: [{ content: { plainText: "Payment failed. Please, try again." } }],
      logs: [
        { description: "The provider did not respond to the question whether this was paid", details: "No answer" },
      ],
    });
  });

  test("an overpayment completes a payment, but an underpayment does not", () => {
    const paid = { currency: "EUR", units: 1_500 };
    const more = checked({ kind: "paymentCheck", status: "succeeded", paid }).say("Success");
    expect(more).toMatchObject({
      answer: "Success",
      logs: [{ status: "info", description: "The paid amount is higher than the requested amount", details: "15 EUR" }],
    });
    const less = checked({ kind: "paymentCheck", status: "open", paid: { currency: "EUR", units: 500 } }).say(
      "Success",
    );
    expect(less).toMatchObject({
      answer: null,
      messages: [{ content: { plainText: "Payment failed. Please, try again." } }],
      logs: [
        {
          status: "error",
          description: "A payment was made that does not match the requested amount",
          details: "5 EUR",
        },
      ],
    });
  });

  test("the same payment is shown again if its check gets no answer", () => {
    const scene = checked({ kind: "refused", reason: "No answer", isAway: true });
    const description = "The provider did not respond to the question whether this was paid";
    expect(scene.say("Success")).toMatchObject({
      answer: null,
      messages: [{ notice: { code: "payment.checking" } }],
      input: { runtimeOptions: { paymentIntentSecret: "secret" } },
      logs: [{ status: "error", description, details: "No answer" }],
    });
    expect(scene.asked.effects.map(({ kind }) => kind)).toEqual(["payment", "paymentCheck"]);
  });

  test("a reply that reports a failure does not complete a payment", () => {
    const scene = checked({ kind: "paymentCheck", status: "succeeded" });
    expect(scene.say("fail")).toMatchObject({ answer: null });
    expect(scene.asked.effects.map(({ kind }) => kind)).toEqual(["payment", "payment"]);
    expect(play({ block, variables, report: granted }).say("Success")).toMatchObject({ answer: null });
  });

  test("the visitor's reply decides whether a simulated payment succeeds", () => {
    const scene = play({ block, variables, report: { kind: "payment", isSimulated: true } });
    expect(scene.asked.input).toMatchObject({ runtimeOptions: { isSimulated: true, amountLabel: "12,35\u00a0€" } });
    expect(scene.say("fail")).toMatchObject({ answer: null });
    expect(scene.say("Success")).toMatchObject({ answer: "Success" });
  });
});
