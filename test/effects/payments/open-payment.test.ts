import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { endPayment, type Opened, openPayment, type Wanted } from "../../../src/effects/payments/open-payment.ts";
import type { Payment, PaymentStore } from "../../../src/effects/payments/payment-store.ts";
import { createPaymentProvider, type PaymentProvider } from "../../../src/effects/payments/stripe.ts";
import { createProviderMetrics } from "../../../src/effects/providers/provider-metrics.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { isLong } from "../../support/campaigns.ts";

let stripe: FakeStripe;
let provider: PaymentProvider;
beforeEach(async () => {
  stripe = await startFakeStripe();
  const urls = new Map([["stripe", stripe.origin]]);
  provider = await createPaymentProvider("sk_live_planted", {
    safeFetch: createSafeFetch({ providerServers: new Set(urls.values()) }),
    hops: noHops,
    timeLeftMs: 600_000,
    providers: { urls, metrics: createProviderMetrics() },
  });
});
afterEach(() => stripe.close());

const first: Payment = {
  ...{ id: "payment", sessionId: "session", botId: "bot", resultId: "result", blockId: "block" },
  ...{ credentialsId: "credentials", isTest: false, amount: 500, currency: "EUR", details: null, status: "open" },
  ...{ attempt: 1, isCheckout: false, intentId: null, checkoutId: null, takenRevision: null },
};

/** Stores one payment in memory instead of in the database. */
function storeOf(row: { payment: Payment }): PaymentStore {
  const change = (attempt: number, to: Partial<Payment>): Payment | undefined => {
    if (row.payment.attempt !== attempt) return undefined;
    row.payment = { ...row.payment, ...to };
    return row.payment;
  };
  return {
    find: async () => row.payment,
    begin: async ({ attempt }, { amount, currency, details, isCheckout }) =>
      change(attempt, {
        ...{ amount, currency, details, isCheckout },
        ...{ attempt: attempt + 1, intentId: null, checkoutId: null },
      }),
    keep: async ({ attempt }, made) => change(attempt, made),
    note: async () => true,
    end: async ({ attempt }) => change(attempt, { status: "canceled" }) !== undefined,
  };
}

const direct: Wanted = { amount: 500, currency: "EUR", details: null };
const hosted: Wanted = { ...direct, returns: { paid: "https://a.example/paid", back: "https://a.example/back" } };
const dearer: Wanted = { ...direct, amount: 700 };

/** Returns the ids of the intents and hosted pages that can still be paid. */
const payable = () => [
  ...[...stripe.intents.values()].filter(({ status }) => status === "requires_payment_method").map(({ id }) => id),
  ...[...stripe.sessions.values()].filter(({ status }) => status === "open").map(({ id }) => id),
];
const shown = (opened: Opened) => ("intent" in opened ? opened.intent.id : opened.checkoutUrl.split("/").at(-1));

/**
 * Wraps the target so that every call fails from a given call on. The first failing call fails before or after its
 * effect.
 */
function crashing<Target extends object>(target: Target, plan: { left: number; after: boolean }): Target {
  return new Proxy(target, {
    get(from, name) {
      const act: unknown = Reflect.get(from, name);
      if (typeof act !== "function") return act;
      return async (...given: unknown[]) => {
        if (plan.left < 0) throw new Error("The process is gone");
        plan.left -= 1;
        if (plan.left < 0 && !plan.after) throw new Error("The process is gone");
        const made: unknown = await Reflect.apply(act, from, given);
        if (plan.left < 0) throw new Error("The process is gone");
        return made;
      };
    },
  });
}

describe("the payable objects of a payment", () => {
  test.each([
    ["the form twice", [direct, direct]],
    ["another amount", [direct, dearer]],
    ["the hosted page after the form", [direct, hosted]],
    ["the form after the hosted page", [hosted, direct]],
    ["the hosted page twice", [hosted, hosted]],
    ["several changes of the form and the amount", [direct, hosted, direct, hosted, dearer]],
  ] as const)("only the returned form or hosted page can be paid: %s", async (_, wishes) => {
    const row = { payment: first };
    for (const wanted of wishes) {
      const opened = await openPayment(row.payment, wanted, { provider, store: storeOf(row) });
      const given = shown(opened);
      expect(given === undefined ? [] : [given]).toEqual(payable());
    }
  });

  test("only the returned form or hosted page can be paid after a crash", async () => {
    const changes = [
      [direct, dearer],
      [hosted, direct],
      [undefined, hosted],
      [direct, hosted],
      [undefined, direct],
    ] as const;
    for (const [before, wanted] of isLong ? changes : changes.slice(0, 3)) {
      for (const after of [false, true]) {
        for (let crash = 0; ; crash++) {
          const row = { payment: { ...first, id: `${wanted.amount}${crash}${after}${before === hosted}` } };
          if (wanted.returns) row.payment = { ...row.payment, id: `${row.payment.id}hosted` };
          if (!before) row.payment = { ...row.payment, id: `${row.payment.id}new` };
          if (before) await openPayment(row.payment, before, { provider, store: storeOf(row) });
          const plan = { left: crash, after };
          const dying = { provider: crashing(provider, plan), store: crashing(storeOf(row), plan) };
          const died = await openPayment(row.payment, wanted, dying).then(
            () => false,
            () => true,
          );
          const opened = await openPayment(row.payment, wanted, { provider, store: storeOf(row) });
          const given = shown(opened);
          expect(given === undefined ? [] : [given]).toEqual(payable());
          for (const { id } of stripe.intents.values()) await provider.cancelIntent(id);
          for (const { id } of stripe.sessions.values()) await provider.expireCheckout(id);
          if (!died) break;
        }
      }
    }
  });

  test("a form and a hosted page cannot both be paid", async () => {
    const row = { payment: first };
    const store = storeOf(row);
    await openPayment(row.payment, direct, { provider, store });
    const both = await Promise.allSettled([
      openPayment(row.payment, hosted, { provider, store }),
      openPayment(row.payment, direct, { provider, store }),
      openPayment(row.payment, hosted, { provider, store }),
    ]);
    expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(payable().length).toBeLessThanOrEqual(1);
  });
});

test("a paid payment is not charged again", async () => {
  for (const wanted of [direct, dearer, hosted]) {
    const row = { payment: { ...first, id: `${wanted.amount}${wanted.returns !== undefined}` } };
    const opened = await openPayment(row.payment, direct, { provider, store: storeOf(row) });
    if (!("intent" in opened)) throw new Error("an intent was expected");
    stripe.confirm(opened.intent.secret ?? "");

    const again = await openPayment(row.payment, wanted, { provider, store: storeOf(row) });

    expect(again).toMatchObject({ intent: { id: opened.intent.id, status: "succeeded" } });
  }
  expect(stripe.taken()).toBe(1500);
});

test("the intent of a payment at the hosted page is stored", async () => {
  const row = { payment: first };
  const opened = await openPayment(row.payment, hosted, { provider, store: storeOf(row) });
  stripe.payAtCheckout(shown(opened) ?? "");

  const again = await openPayment(row.payment, direct, { provider, store: storeOf(row) });

  expect(again).toMatchObject({ intent: { status: "succeeded" } });
  expect(row.payment.intentId).toBe("intent" in again ? again.intent.id : null);
});

describe("a cancelled payment", () => {
  test.each([
    ["as a form", direct],
    ["at the hosted page", hosted],
  ] as const)("a payment that is open %s can be cancelled, and then nothing can be paid", async (_, wanted) => {
    const row = { payment: first };
    await openPayment(first, wanted, { provider, store: storeOf(row) });

    expect(await endPayment(row.payment, { provider, store: storeOf(row) })).toBe("ended");
    expect(await endPayment(row.payment, { provider, store: storeOf(row) })).toBe("ended");
    expect(payable()).toEqual([]);
  });

  test("cancelling a payment also cancels an attempt that starts in the meantime", async () => {
    const row = { payment: first };
    await openPayment(first, direct, { provider, store: storeOf(row) });
    let isFirst = true;
    const meanwhile: PaymentProvider = {
      ...provider,
      async cancelIntent(id) {
        const canceled = await provider.cancelIntent(id);
        if (isFirst) await openPayment(row.payment, hosted, { provider, store: storeOf(row) });
        isFirst = false;
        return canceled;
      },
    };

    expect(await endPayment(row.payment, { provider: meanwhile, store: storeOf(row) })).toBe("ended");
    expect(payable()).toEqual([]);
    expect(row.payment.status).toBe("canceled");
  });

  test("a payment that has been paid is not cancelled", async () => {
    for (const wanted of [direct, hosted]) {
      const row = { payment: { ...first, id: `paid${wanted === hosted}` } };
      const opened = await openPayment(row.payment, wanted, { provider, store: storeOf(row) });
      if ("intent" in opened) stripe.confirm(opened.intent.secret ?? "");
      else stripe.payAtCheckout(shown(opened) ?? "");

      const ended = await endPayment(row.payment, { provider, store: storeOf(row) });

      expect(ended).toMatchObject({ intent: { status: "succeeded" } });
    }
  });
});
