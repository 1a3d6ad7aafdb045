import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { paymentChecks } from "../../../src/chat/payments/payment-checks.job.ts";
import { findPayment } from "../../../src/management/payments/payments.sql.ts";
import { paymentStore } from "../../../src/management/payments/payments-of-step.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { openShop, refusal, type Shop, secretIn } from "./shop.ts";

setDefaultTimeout(60_000);

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => shop.recover());
afterAll(() => shop.close());

const isGet = ({ method }: { method: string }) => method === "GET";
const isCancel = ({ path }: { path: string }) => path.endsWith("/cancel");
const key = (value: string) => ({ headers: { "Idempotency-Key": value } });
const cancels = (secret: string) => shop.askedAbout(secret).filter(isCancel);
const late = "A payment was made after the chat had continued without it";

test("a payment input keeps its time-out after a refused reply", async () => {
  const { priced } = shop;
  const { sessionId } = await shop.asked(10, priced({ timeout: { after: 600 } }));
  const row = async () =>
    (await shop.api.deps.sql`select visit, due from due_steps where session_id = ${sessionId} and kind = 'timeout'`)[0];
  const before = await row();

  const refused = await shop.say(sessionId, "anything");
  expect(refused.at("messages.0.content.plainText")).toBe(refusal);
  expect(await row()).toEqual(before);
  await moveClock(shop.api.deps.sql, 300);
  await shop.command(sessionId, "dear");
  expect(before?.["visit"]).toBeString();
  expect(await row()).toBeUndefined();
  const dear = await shop.say(sessionId, "ada@example.com");
  expect(dear.at("input.type")).toBe("payment input");
  expect((await row())?.["visit"]).not.toBe(before?.["visit"]);
});

describe("going back over a payment", () => {
  test("going back over a payment first cancels the payment", async () => {
    const { sessionId, secret } = await shop.asked(10);

    const back = await shop.goBack(sessionId);

    expect(back.at("input.type")).toBe("number input");
    expect(shop.intentOf(secret)?.status).toBe("canceled");
    expect(() => shop.stripe.confirm(secret)).toThrow("takes no payment");
    const dear = await shop.say(sessionId, "1000");
    expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe(refusal);
    shop.stripe.confirm(secretIn(dear));
    expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe("Paid 1000");
    expect(shop.intentOf(secretIn(dear))?.amount_received).toBe(100_000);
  });

  test.each([["succeeded"], ["processing"]] as const)(
    "going back over a payment is refused if the provider's status is %s, even before a webhook call",
    async (status) => {
      const { sessionId, secret } = await shop.asked(10);
      shop.stripe.confirm(secret, { status });

      const back = await shop.goBack(sessionId);

      expect(back).toMatchObject({ status: 409, body: { code: "payment.made" } });
      await shop.settled(sessionId);
      const input = (await shop.session(sessionId)).at("session.input.type");
      expect(input).toBe(status === "succeeded" ? "text input" : "payment input");
      expect(shop.intentOf(secret)?.status).toBe(status);
    },
  );

  test.each([
    ["the payment was made", 409, "Moved: paid 10"],
    ["the provider is unavailable", 503, refusal],
  ] as const)(
    "going back over a payment is refused because %s, and the chat moves to the new version at its next reply",
    async (why, status, shows) => {
      const { botId, sessionId, secret } = await shop.asked(10);
      await shop.move(botId, shop.priced({}, [], "Moved: paid"));
      if (why === "the payment was made") shop.stripe.confirm(secret);
      else shop.stripe.fail("500", { times: 9 });

      expect((await shop.goBack(sessionId)).status).toBe(status);

      shop.stripe.recover();
      expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe(shows);
      expect(await shop.versionOf(sessionId)).toBe(2);
    },
  );

  test("going back over a late payment is refused", async () => {
    const flow = shop.priced({ timeout: { after: 60 } });
    const { sessionId, secret } = await shop.asked(10, flow);
    await moveClock(shop.api.deps.sql, 61);
    while ((await shop.session(sessionId)).at("session.input.type") !== "text input") shop.due.wake();
    shop.stripe.confirm(secret);
    await shop.report(secret);
    const asked = shop.stripe.asked.length;

    expect((await shop.goBack(sessionId)).at("code")).toBe("payment.made");
    expect(shop.stripe.asked.length).toBe(asked);
  });

  test("going back over a completed payment is refused", async () => {
    const { sessionId, secret } = await shop.asked(10);
    await shop.command(sessionId, "dear");
    shop.stripe.confirm(secret);
    const dear = await shop.say(sessionId, "ana@example.com");

    expect((await shop.goBack(sessionId)).at("input.type")).toBe("email input");
    expect(shop.intentOf(secretIn(dear))?.status).toBe("canceled");
    expect((await shop.goBack(sessionId)).at("code")).toBe("payment.made");
  });

  test("going back over a payment happens once per key", async () => {
    const { sessionId, secret } = await shop.asked(10);

    const [first, second] = await Promise.all([shop.goBack(sessionId, key("one")), shop.goBack(sessionId, key("one"))]);
    const third = await shop.goBack(sessionId, key("one"));

    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(cancels(secret)).toHaveLength(1);
    expect((await shop.session(sessionId)).at("session.input.type")).toBe("number input");
  });

  test.each([
    ["500", isGet],
    ["429", isCancel],
    ["hang", isGet],
  ] as const)(
    "going back over a payment changes nothing if the provider fails with %s, and succeeds after the outage",
    async (fault, of) => {
      const { sessionId, secret, shown } = await shop.asked(10);
      shop.stripe.fail(fault, { times: 20, of });

      const refused = await shop.clock.hasten(shop.goBack(sessionId, key("back")));

      expect(refused).toMatchObject({ status: 503, body: { code: "payment.provider_failed" } });
      expect(refused.headers.get("retry-after")).toBe("30");
      expect((await shop.session(sessionId)).at("session.input")).toEqual(shown.at("input"));
      expect(shop.intentOf(secret)?.status).toBe("requires_payment_method");
      shop.stripe.recover();
      expect((await shop.goBack(sessionId, key("back"))).at("input.type")).toBe("number input");
      expect(shop.intentOf(secret)?.status).toBe("canceled");
    },
  );

  test("going back succeeds even if the cancellation's response was lost", async () => {
    const { sessionId, secret } = await shop.asked(10);
    shop.stripe.fail("500", { times: 1, of: isCancel, isDone: true });

    expect((await shop.goBack(sessionId)).at("input.type")).toBe("number input");
    expect(shop.intentOf(secret)?.status).toBe("canceled");
  });

  test("going back over a payment reopens an ended chat", async () => {
    const { sessionId, secret } = await shop.asked(10, endingFlow());
    await shop.command(sessionId, "leave");
    expect((await shop.session(sessionId)).at("session.isEnded")).toBe(true);

    expect((await shop.goBack(sessionId)).at("input.type")).toBe("number input");
    expect(shop.intentOf(secret)?.status).toBe("canceled");
  });

  test("going back over a payment closes the payment page and the hosted page", async () => {
    const { sessionId, shown } = await shop.asked(10);
    const page = new URL(shown.text("input.runtimeOptions.pageUrl")).pathname;
    const open = (path: string) => shop.api.handle(new Request(`http://localhost${path}`, { redirect: "manual" }));
    expect((await open(`${page}/hosted`)).status).toBe(303);
    const [hosted] = [...shop.stripe.sessions.values()].slice(-1);
    expect(hosted?.status).toBe("open");

    await shop.goBack(sessionId);

    expect(hosted?.status).toBe("expired");
    expect((await open(page)).status).toBe(404);
    expect((await open(`${page}/hosted`)).status).toBe(404);
    const again = await shop.say(sessionId, "10");
    expect((await open(new URL(again.text("input.runtimeOptions.pageUrl")).pathname)).status).toBe(200);
  });

  test("going back keeps an open payment that a command has interrupted", async () => {
    const { sessionId, secret } = await shop.asked(10, shop.priced({}, [asks("rating input")]));
    await shop.command(sessionId, "aside");
    expect((await shop.say(sessionId, "https://example.com")).at("input.type")).toBe("rating input");

    expect((await shop.goBack(sessionId)).at("input.type")).toBe("url input");
    expect(shop.intentOf(secret)?.status).toBe("requires_payment_method");
    expect((await shop.goBack(sessionId)).at("input.type")).toBe("number input");
    expect(shop.intentOf(secret)?.status).toBe("canceled");
  });

  test("a retry of the last reply does not undo a payment", async () => {
    const { sessionId, secret } = await shop.asked(10);

    const again = await shop.api.client.post(`/api/v1/sessions/${sessionId}/tryAgain`, { body: {} });

    expect(again.at("code")).toBe("session.nothing_to_repeat");
    expect(cancels(secret)).toHaveLength(0);
  });
});

function endingFlow() {
  const flow = shop.priced();
  const leave = { id: idOf("leave"), type: "command", options: { command: "leave" }, outgoingEdgeId: idOf("end") };
  const groups = [
    ...flow.groups,
    {
      id: idOf("over"),
      title: "Over",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        {
          ...flowOf([]).groups[0],
          id: idOf("bye"),
          type: "text",
          content: { richText: [{ type: "p", children: [{ text: "Bye" }] }] },
        },
      ],
    },
  ];
  const edges = [...flow.edges, { id: idOf("end"), from: { eventId: idOf("leave") }, to: { groupId: idOf("over") } }];
  return { ...flow, groups, edges, events: [...flow.events, { ...leave, graphCoordinates: { x: 0, y: 0 } }] };
}

describe("a payment and the current charge", () => {
  test("a payment of the former price does not pay after a command raises the price", async () => {
    const { sessionId, secret, botId, resultId } = await shop.asked(10);
    await shop.command(sessionId, "dear");
    shop.stripe.confirm(secret);

    const dear = await shop.say(sessionId, "ana@example.com");
    expect(secretIn(dear)).not.toBe(secret);
    expect(shop.intentOf(secretIn(dear))?.amount).toBe(100_000);
    expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe(refusal);
    await shop.settled(sessionId);

    expect(await shop.logs(botId, resultId)).toEqual([late]);
    expect(await shop.result(botId, resultId)).toMatchObject({ isPaid: true });
    shop.stripe.confirm(secretIn(dear));
    expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe("Paid 1000");
  });

  test("an unpaid payment is reused for the same amount", async () => {
    const { sessionId, secret } = await shop.asked(10);
    await shop.command(sessionId, "aside");
    const same = await shop.say(sessionId, "https://example.com");
    expect(secretIn(same)).toBe(secret);

    await shop.command(sessionId, "dear");
    expect(shop.intentOf(secret)?.status).toBe("requires_payment_method");
    const dear = await shop.say(sessionId, "ana@example.com");
    expect(secretIn(dear)).not.toBe(secret);
    expect(shop.intentOf(secret)?.status).toBe("canceled");
  });

  test("a payment made after a command is accepted for the same amount", async () => {
    const { sessionId, secret } = await shop.asked(10);
    await shop.command(sessionId, "aside");
    shop.stripe.confirm(secret);
    await shop.say(sessionId, "https://example.com");

    expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe("Paid 10");
  });

  test.each([
    ["in the same account", false],
    ["in another account", true],
  ])(
    "a higher payment %s that was made after a command left the input does not pay a lower price",
    async (_, isMoved) => {
      const { sessionId, secret, botId, resultId } = await shop.asked(2000);
      await shop.command(sessionId, "dear");
      shop.stripe.confirm(secret);
      if (isMoved) {
        const other = await shop.makeCredentials();
        await shop.api.deps.sql`update payments set credentials_id = ${other} where session_id = ${sessionId}`;
      }

      const cheap = await shop.say(sessionId, "ana@example.com");
      expect(secretIn(cheap)).not.toBe(secret);
      expect(shop.intentOf(secretIn(cheap))?.amount).toBe(100_000);
      expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe(refusal);
      await shop.settled(sessionId);

      expect(await shop.logs(botId, resultId)).toEqual([late]);
      shop.stripe.confirm(secretIn(cheap));
      expect((await shop.say(sessionId, "anything")).at("messages.0.content.plainText")).toBe("Paid 1000");
    },
  );

  test.each([
    ["a higher amount", "{{Email}}", "EUR", "11"],
    ["another currency", "12", "{{Email}}", "USD"],
  ] as const)("a payment is not accepted if a changed variable requires %s", async (_, amount, currency, now) => {
    const flow = shop.priced({ amount, currency });
    const before = currency === "EUR" ? "10" : "EUR";
    const groups = flow.groups.map((group, index) =>
      index === 0
        ? {
            ...group,
            blocks: [
              {
                ...asks("text input", { variableId: idOf("Email") }, { outgoingEdgeId: idOf("e1") }),
                id: idOf("first"),
              },
            ],
          }
        : group,
    );
    const edges = flow.edges.map((edge) =>
      edge.id === idOf("e1") ? { ...edge, from: { blockId: idOf("first") } } : edge,
    );
    const bot = await shop.make({ ...flow, groups, edges });
    const started = await start(shop.api.client, bot.publicId);
    const sessionId = started.text("sessionId");
    const secret = secretIn(await shop.say(sessionId, before));
    shop.stripe.confirm(secret);
    await shop.api.deps
      .sql`update sessions set state = replace(state, ${`"${before}"`}, ${`"${now}"`}) where id = ${sessionId}`;

    const answered = await shop.say(sessionId, "Success");

    expect(answered.at("messages.0.content.plainText")).toBe(refusal);
    expect(secretIn(answered)).not.toBe(secret);
    await shop.settled(sessionId);
    const does = "A payment was made that does not match the requested amount";
    expect((await shop.logs(bot.botId, started.text("resultId"))).toSorted()).toEqual([late, does]);
  });

  test("a payment above the requested amount is accepted and logged", async () => {
    const { sessionId, secret, botId, resultId } = await shop.asked(10);
    shop.stripe.confirm(secret);
    await shop.api.deps.sql`update sessions set state = replace(state, '"10"', '"9"') where id = ${sessionId}`;

    expect((await shop.say(sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 9");
    expect(await shop.logs(botId, resultId)).toEqual(["The paid amount is higher than the requested amount"]);
  });

  test("a payment above the requested amount is accepted after a command", async () => {
    const flow = shop.priced({}, [{ id: idOf("return"), type: "Return" }]);
    const { sessionId, secret } = await shop.asked(10, flow);
    await shop.command(sessionId, "aside");
    shop.stripe.confirm(secret);
    await shop.api.deps.sql`update sessions set state = replace(state, '"10"', '"9"') where id = ${sessionId}`;

    expect(secretIn(await shop.say(sessionId, "https://example.com"))).toBe(secret);
    expect((await shop.say(sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 9");
  });

  test("a payment above the requested amount is accepted after a refused reply", async () => {
    const { sessionId, secret } = await shop.asked(10);
    shop.stripe.confirm(secret);
    await shop.api.deps.sql`update sessions set state = replace(state, '"10"', '"9"') where id = ${sessionId}`;

    expect(secretIn(await shop.say(sessionId, "fail"))).toBe(secret);
    expect((await shop.say(sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 9");
  });

  test("a provider's report is accepted only for the current charge", async () => {
    const { sessionId, secret } = await shop.asked(10);
    shop.stripe.confirm(secret);
    await shop.api.deps.sql`update sessions set state = replace(state, '"10"', '"11"') where id = ${sessionId}`;

    await shop.report(secret);
    await shop.settled(sessionId);

    expect((await shop.session(sessionId)).at("session.input.type")).toBe("payment input");
    expect((await shop.session(sessionId)).at("session.input.runtimeOptions.paymentIntentSecret")).not.toBe(secret);
  });

  test("a payment that another account requested is cancelled", async () => {
    const other = await shop.makeCredentials();
    const { sessionId, secret } = await shop.asked(10);
    await shop.api.deps.sql`update payments set credentials_id = ${other} where session_id = ${sessionId}`;

    const again = await shop.say(sessionId, "fail");

    expect(secretIn(again)).not.toBe(secret);
    expect(shop.intentOf(secret)?.status).toBe("canceled");
    expect(await shop.payments(sessionId)).toMatchObject([{ status: "canceled" }, { status: "open" }]);
  });

  test("a chat of a moved bot still uses the previous credentials", async () => {
    const { sessionId, secret, botId } = await shop.asked(10);
    const elsewhere = await shop.api.makeWorkspace(shop.owner);
    await shop.api.deps.sql`update bots set workspace_id = ${elsewhere} where id = ${botId}`;

    const early = await shop.say(sessionId, "Success");
    expect(early.at("messages.0.content.plainText")).toBe(refusal);
    expect(secretIn(early)).toBe(secret);
    shop.stripe.confirm(secret);
    expect((await shop.say(sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 10");
  });
});

test("a chat requests at most twenty payments", async () => {
  const { sessionId } = await shop.asked(10);
  const shown: unknown[] = [];
  for (let visit = 2; visit <= 21; visit++) {
    await shop.goBack(sessionId);
    shown.push((await shop.say(sessionId, "10")).at("messages.0.notice.code") ?? "shown");
  }

  expect(shown).toEqual([...Array(19).fill("shown"), "payment.unavailable"]);
});

test("only the current attempt of a payment is recorded", async () => {
  const { sql } = shop.api.deps;
  const { sessionId } = await shop.asked(10);
  const payment = await findPayment(sql, (await shop.payments(sessionId))[0]?.id ?? "");
  if (!payment) throw new Error("A payment was asked for");
  const next = { amount: 700, currency: "EUR", details: null, isCheckout: false };
  const [page, step] = [paymentStore({ sql }), paymentStore({ sql }, { isOfStep: true })];
  const second = await page.begin(payment, next);

  expect(await page.note(payment, "canceled")).toBe(false);
  expect(await page.end(payment)).toBe(false);
  expect(await page.end(second ?? payment)).toBe(true);
  expect(await page.begin(second ?? payment, next)).toBeUndefined();
  expect(await step.begin(second ?? payment, next)).toMatchObject({ attempt: 3, status: "open" });
  await page.note(payment, "succeeded");
  expect(await page.end({ ...payment, attempt: 3 })).toBe(false);
});

test("the payment page starts no attempt beyond the limit of a chat", async () => {
  const { sessionId, shown } = await shop.asked(10);
  await shop.api.deps.sql`update payments set attempt = 20 where session_id = ${sessionId}`;
  const page = new URL(shown.text("input.runtimeOptions.pageUrl")).pathname;

  const hosted = await shop.api.handle(new Request(`http://localhost${page}/hosted`, { redirect: "manual" }));

  expect(hosted.status).toBe(404);
});

describe("the check of unreported payments", () => {
  const check = async () => {
    const [checks] = paymentChecks(shop.api.deps);
    while ((await checks?.removeSome()) !== 0);
  };

  test("the check of unreported payments cancels an ended chat's payment", async () => {
    const [ended, open] = [await shop.asked(10, endingFlow()), await shop.asked(10, endingFlow())];
    await shop.command(ended.sessionId, "leave");
    await moveClock(shop.api.deps.sql, 601);

    await check();

    expect(shop.intentOf(ended.secret)?.status).toBe("canceled");
    expect(await shop.payments(ended.sessionId)).toMatchObject([{ status: "canceled" }]);
    expect(shop.intentOf(open.secret)?.status).toBe("requires_payment_method");
    // The chat lasts for weeks, during which no request concerns the cancelled payment.
    await shop.api.deps
      .sql`update sessions set expires_at = expires_at + interval '40 days' where id = ${open.sessionId}`;
    await moveClock(shop.api.deps.sql, 3 * 86_400);
    await check();
    await shop.command(open.sessionId, "leave");
    await moveClock(shop.api.deps.sql, 5 * 86_400);
    const asked = cancels(ended.secret).length;
    await check();
    expect(cancels(ended.secret)).toHaveLength(asked);
    expect(shop.intentOf(open.secret)?.status).toBe("canceled");
  });
});
