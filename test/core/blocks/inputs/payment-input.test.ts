import { describe, expect, test } from "bun:test";
import { noPayment } from "../../../../src/effects/index.ts";
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
  test("is prepared before it is shown, in the smallest unit of its currency", () => {
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
    ["USD", "5", 500, "$5.00"],
    ["jpy", "500", 500, "¥500"],
    ["", "0.1", 10, "$0.10"],
    ["coins", "7", 700, "7 COINS"],
  ])("in %j of %s is %d, written %s", (currency, amount, units, amountLabel) => {
    const { asked } = play({
      block: { type: "payment input", options: { credentialsId: "c", amount, currency } },
      report: granted,
    });
    expect(asked.effects).toMatchObject([{ amount: units }]);
    expect(asked.input).toMatchObject({ runtimeOptions: { amountLabel } });
  });

  const unavailable = (due: string) =>
    `${due} is due here, which cannot be made in this chat. Please ask the person who sent you here how to pay.`;
  const atTheEnd = {
    status: "error",
    description: "The chat ended at a payment: no edge is drawn for one that cannot be taken",
  };

  test("that the provider cannot take now ends the chat in words, and the log says why", () => {
    const { asked } = play({ block: { ...block, outgoingEdgeId: "paid" }, variables, report: noPayment });

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
        details: "Payments are not available here: no payment provider is connected",
      },
      atTheEnd,
    ]);
  });

  test.each([
    ["without credentials", { amount: "5" }, "The payment block has no credentials", "A payment of $5.00"],
    ["of no amount", { credentialsId: "c" }, "The amount is not a number", "A payment"],
    [
      "of an amount that is no number",
      { credentialsId: "c", amount: "{{Name}}" },
      "The amount is not a number",
      "A payment",
    ],
  ])("%s ends the chat, is logged, and asks for nothing", (_, stored, description, due) => {
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

  test("that cannot be taken goes on by the edge for that, in the author's words where there are some", () => {
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

  test("whose edge for that leads nowhere ends the chat as well", () => {
    const failing = { ...options, failure: { outgoingEdgeId: "unpaid" } };
    const scene = { block: { type: "payment input", options: failing, outgoingEdgeId: "paid" }, variables };
    expect(play(scene).asked).toMatchObject({ edge: "unpaid" });
    expect(play({ ...scene, missingEdges: ["unpaid"] }).asked).toMatchObject({ edge: null, input: null });
  });

  test("that can be taken shows no client what the author drew for the other case", () => {
    const { asked } = play({
      block: { ...block, options: { ...options, failure: { outgoingEdgeId: "unpaid" } } },
      variables,
      report: granted,
    });
    expect(asked.input).not.toHaveProperty("options.failure");
    expect(asked.input).not.toHaveProperty("options.credentialsId");
  });

  test("is never taken as made on a client's word, and is prepared again", () => {
    const scene = play({ block, variables, report: granted });
    for (const reply of ["Success", "fail", "anything"]) {
      const said = scene.say(reply);
      expect(said).toMatchObject({
        answer: null,
        messages: [{ content: { plainText: "Payment failed. Please, try again." } }],
        input: { runtimeOptions: { paymentIntentSecret: "secret" } },
      });
    }
    expect(scene.asked.effects).toHaveLength(4);
  });
});
