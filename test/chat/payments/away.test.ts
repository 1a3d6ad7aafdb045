import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Fault } from "../../fake-providers/kit.ts";
import { idOf } from "../../support/builder-ids.ts";
import { isLong } from "../../support/campaigns.ts";
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
const isPost = ({ method }: { method: string }) => method === "POST";
const entry = "The provider did not respond to the question whether this was paid";
const withFailure = () => shop.priced({ failure: { outgoingEdgeId: idOf("e4") } });
const meanwhile = (sessionId: string, message: unknown = "Success") => shop.clock.hasten(shop.say(sessionId, message));

/** Starts a chat whose payment was made just before its provider became unavailable. */
async function paidWhileAway(fault: Fault, times = 1_000) {
  const chat = await shop.asked(10, withFailure());
  shop.stripe.confirm(chat.secret);
  shop.stripe.fail(fault, { times });
  return chat;
}

/**
 * The first three faults run in every test run. They cover an error status, a silent provider, and an unreadable
 * response.
 */
const faults = [["500"], ["hang"], ["html"], ["503"], ["429"], ["401"], ["cut"]] as const;
const busy = [["429"], ["500"], ["503"]] as const;

describe("a provider that is unavailable when a visitor has paid", () => {
  test.each(isLong ? faults : faults.slice(0, 3))(
    "a payment is checked again without a reply after the fault %s, with one message and one log entry",
    async (fault) => {
      const { sessionId, botId, resultId, shown } = await paidWhileAway(fault);

      const unclear = await meanwhile(sessionId);

      expect(unclear.at("messages")).toMatchObject([
        {
          content: { plainText: "Your payment is being checked. The chat continues as soon as it is confirmed." },
          notice: { code: "payment.checking" },
        },
      ]);
      expect(unclear.at("input")).toEqual(shown.at("input"));
      expect(await shop.logs(botId, resultId)).toEqual([entry]);
      shop.stripe.recover();
      await moveClock(shop.api.deps.sql, 6);
      await shop.settled(sessionId);
      const after = await shop.session(sessionId);
      expect(after.at("session.steps.*.messages.*.content.plainText")).toContainEqual(["Paid 10"]);
      expect(after.at("session.input.type")).toBe("text input");
      expect(await shop.logs(botId, resultId)).toEqual([entry]);
    },
  );

  test("an unavailable provider is queried again after 5, 15 and 60 seconds", async () => {
    const { sessionId, secret } = await paidWhileAway("500");
    await meanwhile(sessionId);
    await meanwhile(sessionId);
    const looks = () => shop.askedAbout(secret).length;
    const before = looks();

    // The time that the test itself takes is added, so each second is far from the next query.
    for (const [second, asked] of [
      [1, 0],
      [7, 1],
      [9, 1],
      [20, 2],
      [40, 2],
      [80, 3],
      [3_000, 3],
    ] as const) {
      await moveClock(shop.api.deps.sql, second);
      await shop.clock.hasten(shop.settled(sessionId));
      // Each status check is tried three times.
      expect([second, (looks() - before) / 3]).toEqual([second, asked]);
    }
    expect(await shop.waiting(sessionId)).toBe(0);
    expect((await shop.session(sessionId)).at("session.steps")).toHaveLength(4);
  });

  test("an outage after a payment is logged once, however often the visitor retries", async () => {
    const { sessionId, botId, resultId } = await paidWhileAway("500");
    for (let time = 0; time < 3; time++)
      expect((await meanwhile(sessionId)).at("messages.0.notice.code")).toBe("payment.checking");

    shop.stripe.recover();

    expect(await shop.waiting(sessionId)).toBe(1);
    expect((await shop.say(sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 10");
    expect(await shop.logs(botId, resultId)).toEqual([entry]);
  });

  test("the next report of a provider confirms a payment after an outage", async () => {
    const { sessionId, secret } = await paidWhileAway("500");
    await meanwhile(sessionId);
    shop.stripe.recover();

    expect((await shop.report(secret)).status).toBe(200);
    await shop.settled(sessionId);

    expect((await shop.session(sessionId)).at("session.input.type")).toBe("text input");
  });

  test.each([
    ["429", 2],
    ["500", 2],
    ["503", 1],
  ] as const)(
    "a provider is called again immediately if the status check fails with %s (times: %i)",
    async (fault, times) => {
      const { sessionId } = await paidWhileAway(fault, times);

      expect((await shop.say(sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 10");
    },
  );

  test("a provider that hangs after a payment is called only three times in a step", async () => {
    const { sessionId, secret } = await paidWhileAway("hang");
    const before = shop.askedAbout(secret).length;

    await meanwhile(sessionId);

    // The provider was called three times: twice for 6 s, and once for the remaining time.
    expect(shop.askedAbout(secret).length - before).toBe(3);
  });

  test("a payment's question stays open during an outage", async () => {
    const flow = withFailure();
    const events = [
      ...flow.events,
      { id: idOf("reply"), type: "reply", outgoingEdgeId: idOf("event"), graphCoordinates: { x: 0, y: 0 } },
    ];
    const group = {
      id: idOf("event group"),
      title: "Event",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [{ id: idOf("return"), type: "Return" }],
    };
    const edge = { id: idOf("event"), from: { eventId: idOf("reply") }, to: { groupId: group.id } };
    const chat = await shop.asked(10, {
      ...flow,
      events,
      groups: [...flow.groups, group],
      edges: [...flow.edges, edge],
    });
    shop.stripe.confirm(chat.secret);
    shop.stripe.fail("hang", { times: 1_000 });
    const before = shop.askedAbout(chat.secret).length;

    const unclear = await meanwhile(chat.sessionId);

    expect(unclear.at("input")).toEqual(chat.shown.at("input"));
    expect(shop.askedAbout(chat.secret).length - before).toBe(3);
    shop.stripe.recover();
    expect((await shop.say(chat.sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 10");
  });
});

test("a visitor who reports a failed payment keeps the displayed payment", async () => {
  const { sessionId, botId, resultId, shown } = await shop.asked(10, withFailure());
  shop.stripe.fail("500", { times: 1_000 });

  for (let time = 0; time < 2; time++) {
    const refused = await meanwhile(sessionId, "fail");
    expect(refused.at("messages.*.content.plainText")).toEqual([refusal]);
    expect(refused.at("input")).toEqual(shown.at("input"));
  }

  expect(await shop.logs(botId, resultId)).toEqual([entry]);
});

test("a chat that returns to its payment during an outage keeps the payment", async () => {
  const { sessionId, secret, shown } = await shop.asked(10, withFailure());
  await shop.command(sessionId, "aside");
  shop.stripe.confirm(secret);
  shop.stripe.fail("500", { times: 1_000 });

  const again = await meanwhile(sessionId, "https://example.com");
  expect(again.at("input")).toEqual(shown.at("input"));
  shop.stripe.recover();

  expect((await shop.say(sessionId, "Success")).at("messages.0.content.plainText")).toBe("Paid 10");
});

test("a chat stored by the previous release stays at its payment during an outage", async () => {
  const { sessionId, secret } = await paidWhileAway("500");
  await shop.api.deps.sql`
    update sessions
    set state = jsonb_set(state::jsonb, '{kept,value}', jsonb_build_object('paymentId', state::jsonb #> '{kept,value,paymentId}'))::text
    where id = ${sessionId}`;

  const unclear = await meanwhile(sessionId);
  expect(unclear.at("messages.0.notice.code")).toBe("payment.checking");
  expect(unclear.at("input.type")).toBe("payment input");
  shop.stripe.recover();

  expect((await shop.say(sessionId, "fail")).text("input.runtimeOptions.paymentIntentSecret")).toBe(secret);
});

describe("a provider that is unavailable when a payment is prepared", () => {
  test.each(isLong ? busy : busy.slice(0, 1))(
    "only one payment is created if the provider responds twice with %s while the payment is prepared",
    async (fault) => {
      const before = shop.stripe.intents.size;
      shop.stripe.fail(fault, { times: 1, of: isPost });
      shop.stripe.fail(fault, { times: 1, of: isPost, isDone: true });

      const { sessionId, shown } = await shop.asked(10, withFailure());

      expect(secretIn(shown)).toStartWith("pi_");
      expect(shop.stripe.intents.size).toBe(before + 1);
      expect(await shop.payments(sessionId)).toMatchObject([{ attempt: 1 }]);
    },
  );

  test("a longer outage before a payment makes the chat follow the failure edge", async () => {
    const bot = await shop.make(withFailure());
    const started = await shop.api.client.post(`/api/v1/bots/${bot.publicId}/startChat`, { body: {} });
    shop.stripe.fail("500", { times: 1_000 });

    const failed = await meanwhile(started.text("sessionId"), "10");

    expect(failed.at("messages.0.notice.code")).toBe("payment.unavailable");
    expect(failed.at("input.type")).toBe("time input");
  });
});

test("a provider that rejects the status request does not count as unavailable", async () => {
  const { sessionId, botId, resultId } = await shop.asked(10, withFailure());
  shop.stripe.fail("404", { times: 1, of: isGet });

  const refused = await shop.say(sessionId, "Success");

  expect(refused.at("messages.0.content.plainText")).toBe(refusal);
  expect(await shop.logs(botId, resultId)).toEqual([entry]);
  expect(await shop.waiting(sessionId)).toBe(0);
});
