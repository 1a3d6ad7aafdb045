import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { paymentChecks } from "../../../src/chat/payments/payment-checks.job.ts";
import { findPayment, notePayment } from "../../../src/management/payments/payments.sql.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeStripe, signatureOf, startFakeStripe } from "../../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

const secrets = {
  liveSecretKey: "sk_live_planted_secret_key_1",
  liveWebhookSecret: "whsec_planted_live_secret",
  testSecretKey: "sk_test_planted_secret_key_2",
};

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let stripe: FakeStripe;
let credentialsId: string;
let due: DueSteps;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  stripe = await startFakeStripe();
  api = await createTestApi({
    threads,
    config: { PROVIDER_URLS: providerUrls([stripe]), ENCRYPTION_KEY: "k".repeat(32) },
  });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  credentialsId = await makeCredentials({});
  due = startDueSteps(api.deps);
});
afterEach(async () => {
  stripe.recover();
  await moveClock(api.deps.sql, 0);
});
afterAll(async () => {
  await due.stop();
  await threads.close();
  await api.close();
  await stripe.close();
});

async function makeCredentials(data: object): Promise<string> {
  const keys = { ...secrets, livePublicKey: "pk_live_1", testPublicKey: "pk_test_1", ...data };
  const path = `/api/v1/workspaces/${workspaceId}/credentials`;
  const made = await api.client.post(path, {
    token: owner.token,
    body: { type: "stripe", name: "Shop", data: keys },
  });
  return made.text("credentials.id");
}

const priced = (options: object = {}) => {
  const flow = flowOf([
    asks("payment input", { credentialsId, amount: "12.50", currency: "EUR", variableId: idOf("Name"), ...options }),
    says("Thank you: {{Name}}"),
    asks("text input"),
  ]);
  return flow;
};
const make = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);

async function asked(flow: object = priced()) {
  const bot = await make(flow);
  const started = await start(api.client, bot.publicId);
  const secret = started.text("input.runtimeOptions.paymentIntentSecret");
  return { ...bot, started, secret, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

const intentOf = (secret: string) => secret.slice(0, secret.indexOf("_secret_"));
const paymentIdOf = async (sessionId: string) => {
  const [row] = await api.deps.sql<{ id: string }[]>`select id from payments where session_id = ${sessionId}`;
  return row?.id ?? "";
};
const counted = async () => {
  const text = await api.deps.providers.metrics.registry.metrics();
  return [...text.matchAll(/^parley_payments_total\{status="(\w+)"\} (\d+)$/gm)]
    .map(([, status = "", value]) => ({ status, value: Number(value) }))
    .toSorted((a, b) => a.status.localeCompare(b.status));
};
const shop = (id = credentialsId) => `/api/v1/payments/stripe/${id}`;
const reported = (given: { body: string; signature: string }, id?: string) =>
  api.client.post(shop(id), {
    rawBody: given.body,
    headers: { "stripe-signature": given.signature },
  });
const report = (secret: string, options: { at?: number; type?: string } = {}) =>
  reported(stripe.report(intentOf(secret), { secret: secrets.liveWebhookSecret, ...options }));
const settled = () =>
  waitFor(async () => {
    due.wake();
    return (await api.deps.sql`select from due_steps where kind = 'payment'`).length === 0;
  });
const session = (sessionId: string) => api.client.get(`/api/v1/sessions/${sessionId}`);
const result = (botId: string, resultId: string) =>
  api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token });
const refusal = "Payment failed. Please, try again.";

describe("a payment", () => {
  test("a payment request contains the amount in the currency's smallest unit", async () => {
    const { started, secret, sessionId } = await asked(
      priced({ additionalInformation: { description: "Tea", email: "ana@example.com" } }),
    );

    expect(started.at("input.runtimeOptions")).toMatchObject({
      paymentIntentSecret: secret,
      publicKey: "pk_live_1",
      amountLabel: "12,50\u00a0€",
    });
    const intent = stripe.intents.get(intentOf(secret));
    expect(intent).toMatchObject({
      amount: 1250,
      currency: "eur",
      description: "Tea",
      receipt_email: "ana@example.com",
    });
    expect(JSON.stringify(intent)).not.toContain(sessionId);
  });

  test("a payment is accepted only if the provider confirms it", async () => {
    const { secret, sessionId, botId, resultId } = await asked();

    const early = await say(api.client, sessionId, "Success");
    expect(early.at("messages.0.content.plainText")).toBe(refusal);
    expect(early.at("input.runtimeOptions.paymentIntentSecret")).toBe(secret);
    stripe.confirm(secret);
    const paid = await say(api.client, sessionId, "Success");

    expect(paid.at("messages.0.content.plainText")).toBe("Thank you: Success");
    const stored = await result(botId, resultId);
    expect(stored.at("result.isPaid")).toBe(true);
    expect(stored.at("result.answers.0.content")).toBe("Success");
  });

  test.each([
    ["a smaller amount", { received: 1249 }],
    ["another currency", { currency: "jpy" }],
    ["an amount that is still processing", { status: "processing" }],
  ] as const)("a payment of %s is not accepted", async (_, paid) => {
    const { secret, sessionId } = await asked();
    stripe.confirm(secret, paid);

    const answered = await say(api.client, sessionId, "Success");

    expect(answered.at("input.type")).toBe("payment input");
    expect(stripe.intents.get(intentOf(secret))?.status).not.toBe("canceled");
  });

  test("a payment of another chat is not accepted", async () => {
    const [paid, other] = [await asked(), await asked()];
    stripe.confirm(paid.secret);
    const [theirs, own] = [await paymentIdOf(paid.sessionId), await paymentIdOf(other.sessionId)];
    await api.deps.sql`update sessions set state = replace(state, ${own}, ${theirs}) where id = ${other.sessionId}`;

    const answered = await say(api.client, other.sessionId, "Success");

    expect(answered.at("messages.0.content.plainText")).toBe(refusal);
    expect(answered.at("input.type")).toBe("payment input");
  });

  test("a payment in a live chat is counted once per status in the metrics", async () => {
    const before = await counted();
    const { secret, sessionId, botId } = await asked();
    await say(api.client, sessionId, "Success");
    stripe.confirm(secret, { status: "processing" });
    await say(api.client, sessionId, "Success");
    await say(api.client, sessionId, "Success");
    stripe.confirm(secret);
    await report(secret);
    await report(secret);
    await settled();
    await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { token: owner.token, body: {} });

    const added = (await counted()).map(({ status, value }) => ({
      status,
      value: value - (before.find((one) => one.status === status)?.value ?? 0),
    }));
    expect(added.filter(({ value }) => value > 0)).toEqual([
      { status: "open", value: 1 },
      { status: "processing", value: 1 },
      { status: "succeeded", value: 1 },
    ]);
  });

  test("a payment stays successful despite an older status", async () => {
    const { secret, sessionId } = await asked();
    const payment = await findPayment(api.deps.sql, await paymentIdOf(sessionId));
    if (!payment) throw new Error("A payment was asked for");
    stripe.confirm(secret);
    await report(secret);

    expect(await notePayment(api.deps.sql, payment, "processing")).toBe(false);
    expect(await findPayment(api.deps.sql, payment.id)).toMatchObject({ status: "succeeded" });
  });

  test("a payment is checked again if the provider returns no status", async () => {
    const { secret, sessionId, botId, resultId } = await asked();
    stripe.confirm(secret);
    const isLook = ({ method }: { method: string }) => method === "GET";
    stripe.fail("500", { times: 4, of: isLook });

    const unclear = await say(api.client, sessionId, "Success");

    expect(unclear.at("messages.0.notice.code")).toBe("payment.checking");
    const logs = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token: owner.token });
    expect(logs.at("logs.*.description")).toContain(
      "The provider did not respond to the question whether this was paid",
    );
    expect(JSON.stringify(logs.body)).not.toContain("planted");
    expect((await say(api.client, sessionId, "Success")).at("messages.0.content.plainText")).toContain("Thank you");
    await api.deps.sql`delete from due_steps where session_id = ${sessionId}`;
  });

  test("a payment whose amount changes is cancelled and created again", async () => {
    const { secret, sessionId } = await asked(
      flowOf([
        { id: "set", type: "Set variable", options: { variableId: idOf("Email"), expressionToEvaluate: "5" } },
        asks("payment input", { credentialsId, amount: "{{Email}}", variableId: idOf("Name") }),
      ]),
    );
    expect(stripe.intents.get(intentOf(secret))?.amount).toBe(500);
    await api.deps.sql`update sessions set state = replace(state, '"5"', '"7"')`;

    const again = await say(api.client, sessionId, "fail");

    expect(stripe.intents.get(intentOf(secret))?.status).toBe("canceled");
    const next = again.text("input.runtimeOptions.paymentIntentSecret");
    expect(stripe.intents.get(intentOf(next))).toMatchObject({ amount: 700, status: "requires_payment_method" });
  });

  test.each([
    ["401", "Refused with 401"],
    ["500", "Refused with 500"],
    ["html", ""],
    ["malformed", ""],
    ["cut", ""],
  ] as const)(
    "a payment is impossible if the provider fails with %s, and the provider's key is not exposed",
    async (fault, details) => {
      const bot = await make(priced());
      stripe.fail(fault, { times: 5 });

      const started = await start(api.client, bot.publicId);

      expect(started.at("messages.0.notice.code")).toBe("payment.unavailable");
      const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
      const logs = await api.client.get(path, { token: owner.token });
      expect(logs.at("logs.0.description")).toBe("The payment could not be prepared");
      expect(logs.text("logs.0.details")).toContain(details);
      expect(JSON.stringify([logs.body, started.body])).not.toContain("planted");
    },
  );

  test("a payment is requested at most twenty times in one chat", async () => {
    const bot = await make({
      ...flowOf([
        asks("payment input", { credentialsId, amount: "1" }),
        { id: "again", type: "Jump", options: { groupId: idOf("g0") } },
      ]),
    });
    const started = await start(api.client, bot.publicId);
    let next = started;
    for (let visit = 1; visit <= 20; visit++) {
      stripe.confirm(next.text("input.runtimeOptions.paymentIntentSecret"));
      next = await say(api.client, started.text("sessionId"), "Success");
    }
    expect(next.at("messages.0.notice.code")).toBe("payment.unavailable");
  });
});

describe("the webhook of a provider", () => {
  const register = (id: string) =>
    api.client.post(`/api/v1/workspaces/${workspaceId}/credentials/${id}/webhook`, { token: owner.token, body: {} });
  const none = { liveWebhookSecret: undefined };

  test("the webhook is registered at Stripe once per mode", async () => {
    const id = await makeCredentials(none);
    const before = stripe.webhooks.length;

    const both = await Promise.all([register(id), register(id)]);
    const again = await register(id);

    for (const answer of [...both, again]) {
      expect(answer.at("webhook.modes")).toEqual(["live", "test"]);
      expect(answer.text("webhook.url")).toEndWith(shop(id));
      expect(JSON.stringify(answer.body)).not.toContain("whsec_");
    }
    const made = stripe.webhooks.slice(before);
    expect(made.map(({ url }) => url)).toEqual([again.text("webhook.url"), again.text("webhook.url")]);
    const { secret, sessionId } = await asked(priced({ credentialsId: id }));
    stripe.confirm(secret);
    const signed = stripe.report(intentOf(secret), { secret: made[0]?.secret ?? "" });
    expect((await reported(signed, id)).status).toBe(200);
    await settled();
    expect((await session(sessionId)).at("session.input.type")).toBe("text input");
  });

  test("a webhook is registered for one mode even if the other mode fails", async () => {
    const id = await makeCredentials({ ...none, testSecretKey: "sk_test_wrong" });
    const before = stripe.webhooks.length;

    const failed = await register(id);
    expect(failed.at("code")).toBe("credentials.provider_failed");
    expect(JSON.stringify(failed.body)).not.toContain("sk_test_wrong");
    await register(id);
    expect(stripe.webhooks.length).toBe(before + 1);

    const pasted = await makeCredentials({ testSecretKey: undefined, testPublicKey: undefined });
    expect((await register(pasted)).at("webhook.modes")).toEqual(["live"]);
    expect(stripe.webhooks.length).toBe(before + 1);
  });
});

test("the linter reports test keys in place of live keys and a missing webhook", async () => {
  const found = async (id: string) => {
    const { botId } = await make(priced({ credentialsId: id, failure: { isSkipOffered: true } }));
    const linted = await api.client.post(`/api/v1/bots/${botId}/lint`, { token: owner.token, body: {} });
    expect(JSON.stringify(linted.body)).not.toContain("planted");
    return linted.at("findings.*.rule");
  };
  const isPayment = (rule: unknown) => String(rule).startsWith("payment_");
  const ofPayments = async (data: object) => [await found(await makeCredentials(data))].flat().filter(isPayment);

  expect(await ofPayments({})).toEqual([]);
  expect(await ofPayments({ liveSecretKey: "sk_test_planted_3" })).toEqual(["payment_test_keys"]);
  expect(await ofPayments({ liveWebhookSecret: undefined })).toEqual(["payment_without_webhook"]);
  const elsewhere = await api.makeWorkspace(owner);
  const theirs = await api.client.post(`/api/v1/workspaces/${elsewhere}/credentials`, {
    token: owner.token,
    body: {
      type: "stripe",
      name: "Theirs",
      data: { livePublicKey: "pk_live_1", liveSecretKey: "sk_test_planted_4" },
    },
  });
  expect([await found(theirs.text("credentials.id"))].flat().filter(isPayment)).toEqual([]);
});

describe("a payment report", () => {
  test("a payment report continues its chat once", async () => {
    const first = await asked();
    stripe.confirm(first.secret);
    for (let time = 0; time < 2; time++) expect((await report(first.secret)).status).toBe(200);
    await settled();
    const read = await session(first.sessionId);
    expect(read.at("session.steps.1.messages.0.content.plainText")).toBe("Thank you: Success");
    expect(read.at("session.input.type")).toBe("text input");
    expect(read.at("session.steps.2")).toBeUndefined();
    // A page that has not received this step reports that the visitor has paid. The report is not an answer to the next
    // question.
    const late = await say(api.client, first.sessionId, "Success");
    expect(late.at("messages.0.content.plainText")).toBe("Thank you: Success");
    expect(late.at("input.type")).toBe("text input");

    const second = await asked();
    stripe.confirm(second.secret);
    await say(api.client, second.sessionId, "Success");
    await report(second.secret);
    await settled();
    expect((await session(second.sessionId)).at("session.steps.2")).toBeUndefined();
    const logs = `/api/v1/bots/${second.botId}/results/${second.resultId}/logs`;
    expect((await api.client.get(logs, { token: owner.token })).at("logs")).toEqual([]);
  });

  test("a late payment report is recorded once", async () => {
    const { secret, sessionId, botId, resultId } = await asked(
      flowOf([asks("payment input", { credentialsId, amount: "2", timeout: { after: 60 } }), asks("text input")]),
    );
    await moveClock(api.deps.sql, 61);
    await waitFor(async () => {
      due.wake();
      return (await session(sessionId)).at("session.input.type") === "text input";
    });
    stripe.confirm(secret);
    await report(secret, { at: Date.now() });
    await report(secret, { at: Date.now() });
    await settled();

    const logs = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token: owner.token });
    expect(logs.at("logs.*.description")).toEqual(["A payment was made after the chat had continued without it"]);
    expect((await result(botId, resultId)).at("result.isPaid")).toBe(true);
  });

  test("a payment report is acknowledged only if the provider can be queried", async () => {
    const { secret } = await asked();
    stripe.fail("500", { times: 20 });

    expect(await report(secret)).toMatchObject({ status: 503, body: { code: "payment.provider_failed" } });
    stripe.recover();
    expect((await report(secret)).status).toBe(200);
  });

  test("a payment report needs a confirmation from the provider", async () => {
    const { secret, sessionId } = await asked();

    // The report is signed, but the intent is not paid.
    expect((await report(secret)).status).toBe(200);
    await settled();

    expect((await session(sessionId)).at("session.input.type")).toBe("payment input");
  });

  test("a payment report is refused if it is forged or old", async () => {
    const { secret } = await asked();
    stripe.confirm(secret);
    const { body } = stripe.report(intentOf(secret), { secret: "x" });
    const code = async (given: Parameters<typeof reported>[0], id?: string) => (await reported(given, id)).at("code");

    expect(await code({ body, signature: signatureOf(body, { secret: "whsec_other" }) })).toBe(
      "payment.report_invalid",
    );
    expect(await code({ body, signature: "" })).toBe("payment.report_invalid");
    const old = signatureOf(body, { secret: secrets.liveWebhookSecret, at: Date.now() - 301_000 });
    expect(await code({ body, signature: old })).toBe("payment.report_invalid");
    const text = "no JSON";
    const signed = (content: string) => signatureOf(content, { secret: secrets.liveWebhookSecret });
    expect(await code({ body: text, signature: signed(text) })).toBe("payment.report_invalid");
    expect(await code({ body, signature: signed(body) }, owner.userId)).toBe("credentials.not_found");
    const large = "x".repeat(300_000);
    expect(await code({ body: large, signature: signed(large) })).toBe("request.too_large");
    // The report has a valid signature of other credentials, which belong to another account.
    const others = await makeCredentials({ liveWebhookSecret: "whsec_others" });
    const theirs = signatureOf(body, { secret: "whsec_others" });
    expect((await reported({ body, signature: theirs }, others)).status).toBe(200);
    const strange = JSON.stringify({ type: "payment_intent.succeeded", data: { object: { id: "pi_unknown" } } });
    expect((await reported({ body: strange, signature: signed(strange) })).status).toBe(200);
    expect(await api.deps.sql`select from due_steps where kind = 'payment'`).toHaveLength(0);
  });

  test("a missing payment report is replaced by a request to the provider", async () => {
    const { secret, sessionId } = await asked();
    stripe.confirm(secret);
    const [checks] = paymentChecks(api.deps);
    await moveClock(api.deps.sql, 601);

    while ((await checks?.removeSome()) !== 0);
    await settled();

    expect((await session(sessionId)).at("session.input.type")).toBe("text input");
  });
});

describe("a preview", () => {
  const preview = async (botId: string, body: object = {}, token: string | undefined = owner.token) =>
    api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { body, ...(token !== undefined && { token }) });

  test("a preview pays with test keys", async () => {
    const { botId } = await make(priced());
    const started = await preview(botId);
    expect(started.at("input.runtimeOptions.publicKey")).toBe("pk_test_1");
    stripe.confirm(started.text("input.runtimeOptions.paymentIntentSecret"));
    const paid = await say(api.client, started.text("sessionId"), "Success");
    expect(paid.at("messages.0.content.plainText")).toBe("Thank you: Success");
  });

  test("a preview without test keys simulates a payment", async () => {
    const path = `/api/v1/workspaces/${workspaceId}/credentials`;
    const data = { livePublicKey: "pk_live_2", liveSecretKey: "sk_live_planted_other" };
    const made = await api.client.post(path, { token: owner.token, body: { type: "stripe", name: "Live", data } });
    const { botId } = await make(priced({ credentialsId: made.text("credentials.id") }));
    const before = stripe.asked.length;
    const started = await preview(botId);
    expect(started.at("input.runtimeOptions")).toEqual({ isSimulated: true, amountLabel: "12,50\u00a0€" });
    expect((await say(api.client, started.text("sessionId"), "fail")).at("messages.0.content.plainText")).toBe(refusal);
    const paid = await say(api.client, started.text("sessionId"), "Success");
    expect(paid.at("messages.0.content.plainText")).toBe("Thank you: Success");
    expect(stripe.asked.length).toBe(before);
    const sessionId = started.text("sessionId");
    expect(await api.deps.sql`select from payments where session_id = ${sessionId}`).toHaveLength(0);
  });
});

describe("the totals of a bot's payments", () => {
  const sums = async (botId: string, query: string) =>
    (await api.client.get(`/api/v1/bots/${botId}/insight?${query}`, { token: owner.token })).at("insight.payments");
  const pays = async (publicId: string) => {
    const started = await start(api.client, publicId);
    stripe.confirm(started.text("input.runtimeOptions.paymentIntentSecret"));
    await say(api.client, started.text("sessionId"), "Success");
    return started.text("resultId");
  };

  test("payment totals are listed by currency, period and version", async () => {
    const { token } = owner;
    const bot = await make(priced());
    expect(await sums(bot.botId, "timeFilter=allTime")).toEqual([]);
    await pays(bot.publicId);
    await pays(bot.publicId);
    await start(api.client, bot.publicId);
    const flow = priced({ amount: "500", currency: "JPY" });
    await api.client.patch(`/api/v1/bots/${bot.botId}`, { token, body: { bot: flow } });
    await api.client.post(`/api/v1/bots/${bot.botId}/publish`, { token, body: { force: true } });
    await pays(bot.publicId);
    const deleted = await pays(bot.publicId);
    await api.client.delete(`/api/v1/bots/${bot.botId}/results`, { token, body: { resultIds: [deleted] } });

    const euros = { currency: "EUR", count: 2, amount: 25 };
    const yen = { currency: "JPY", count: 1, amount: 500 };
    expect(await sums(bot.botId, "timeFilter=allTime")).toEqual([euros, yen]);
    expect(await sums(bot.botId, "timeFilter=allTime&version=2")).toEqual([yen]);
    expect(await sums(bot.botId, "timeFilter=lastMonth")).toEqual([]);
    expect(await sums(bot.botId, "from=2100-01-01T00:00:00.000Z")).toEqual([]);
  });
});
