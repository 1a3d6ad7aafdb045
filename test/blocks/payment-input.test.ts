import { describe, expect, test } from "bun:test";
import { performPayment } from "../../src/effects/payment.ts";
import { play } from "./one-block.ts";

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

  test("that the provider cannot take now is shown without what the client needs, and logged", () => {
    const { asked } = play({ block, variables, report: performPayment() });
    expect(asked.input).not.toHaveProperty("runtimeOptions");
    expect(asked.input).not.toHaveProperty("options.credentialsId");
    expect(asked.logs).toEqual([
      {
        status: "error",
        description: "The payment could not be prepared",
        details: "Payments are not available here: no payment provider is connected",
      },
    ]);
  });

  test.each([
    ["without credentials", { amount: "5" }, "The payment block has no credentials"],
    ["of no amount", { credentialsId: "c" }, "The amount is not a number"],
    ["of an amount that is no number", { credentialsId: "c", amount: "{{Name}}" }, "The amount is not a number"],
  ])("%s is shown, logged, and asks for nothing", (_, stored, description) => {
    const { asked } = play({ block: { type: "payment input", options: stored }, variables, report: granted });
    expect(asked).toMatchObject({
      effects: [],
      input: { type: "payment input" },
      logs: [{ status: "error", description }],
    });
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
