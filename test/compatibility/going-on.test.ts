import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../src/chat/due/due-steps.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { valueAt } from "../support/client.ts";
import { moveClock } from "../support/moved-clock.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";
import { publishTypebot } from "./bot.ts";
import { type ExistingClient, openPage } from "./existing-client.ts";

const webhookSecret = "whsec_1";
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
  const config = { PROVIDER_URLS: providerUrls([stripe]), ENCRYPTION_KEY: "k".repeat(32) };
  api = await createTestApi({ threads, config });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const data = { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_1", liveWebhookSecret: webhookSecret };
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: owner.token,
    body: { type: "stripe", name: "Shop", data },
  });
  credentialsId = made.text("credentials.id");
  due = startDueSteps(api.deps);
});
afterEach(() => moveClock(api.deps.sql, 0));
afterAll(async () => {
  await due.stop();
  await threads.close();
  await api.close();
  await stripe.close();
});

const published = (flow: object) => publishTypebot(api.client, { token: owner.token, workspaceId }, flow);
const open = async (flow: object) => {
  const bot = await published(flow);
  return { ...bot, page: await openPage({ handle: api.handle, publicId: bot.publicId }) };
};
const text = (words: string) => ({ type: "text", text: words });
const isSettled = () =>
  waitFor(async () => {
    due.wake();
    return (await api.deps.sql`select from due_steps where due <= clock()`).length === 0;
  });

describe("a payment of an existing client", () => {
  const paying = () =>
    flowOf([asks("payment input", { credentialsId, amount: "5" }), says("Thanks"), asks("text input")]);
  const secretOf = (page: ExistingClient) => String(valueAt(page.input(), "runtimeOptions.paymentIntentSecret"));

  test("an unpaid payment of an existing client is requested again", async () => {
    const { page } = await open(paying());
    expect(valueAt(page.input(), "runtimeOptions")).toMatchObject({ publicKey: "pk_live_1", amountLabel: "$5.00" });
    expect(JSON.stringify(page.input())).not.toContain(credentialsId);
    await page.answer(text("fail"));
    expect(page.seen()).toEqual(["Payment failed. Please, try again."]);
    stripe.confirm(secretOf(page));
    await page.answer(text("Success"));

    expect(page.seen().at(-1)).toBe("Thanks");
    expect(page.input()?.["type"]).toBe("text input");
  });

  test("a reply to a reported payment does not answer the next question", async () => {
    const { page, typebotId } = await open(paying());
    const secret = secretOf(page);
    stripe.confirm(secret);
    const { body, signature } = stripe.report(secret.slice(0, secret.indexOf("_secret_")), { secret: webhookSecret });
    await api.client.post(`/api/v1/payments/stripe/${credentialsId}`, {
      rawBody: body,
      headers: { "stripe-signature": signature },
    });
    await isSettled();
    await page.answer(text("Success"));

    expect(page.seen()).toEqual(["Thanks"]);
    expect(page.input()?.["type"]).toBe("text input");
    await page.answer(text("Ada"));
    expect(page.isOver()).toBe(true);
    expect(await contents(typebotId, page)).toEqual(["Success", "Ada"]);
  });
});

describe("a time-out step that an existing client has not seen", () => {
  const timed = (then: readonly object[]) =>
    flowOf([asks("text input", { timeout: { after: 60, outgoingEdgeId: idOf("e1") } }), says("In time")], [...then]);
  const late = async (then: readonly object[]) => {
    const opened = await open(timed(then));
    await moveClock(api.deps.sql, 61);
    await isSettled();
    return opened;
  };

  test("the next reply returns the unseen time-out step", async () => {
    const { page, typebotId } = await late([says("Still there?"), asks("email input")]);
    await page.answer(text("Ada"));

    expect(page.seen()).toEqual(["Still there?"]);
    expect(page.input()?.["type"]).toBe("email input");
    await page.answer(text("ada@example.com"));
    expect(page.isOver()).toBe(true);
    expect(await contents(typebotId, page)).toEqual(["ada@example.com"]);
  });

  test("an unseen time-out step that ended the chat is shown", async () => {
    const { page } = await late([says("Too late")]);
    await page.answer(text("Ada"));

    expect(page.seen()).toEqual(["Too late"]);
    expect(page.isOver()).toBe(true);
  });
});

test("a call that arrives during an earlier question waits for its block", async () => {
  const { page, typebotId } = await open(
    flowOf([
      asks("text input"),
      {
        id: "listen",
        type: "webhook",
        options: { responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.order" }] },
      },
      says("Order {{Name}}"),
    ]),
  );
  const { resultId } = page.started() ?? {};
  const path = `/api/v1/typebots/${typebotId}/blocks/listen/results/${resultId}/executeWebhook`;
  const called = await api.client.post(path, { token: owner.token, body: { order: "A-17" } });
  expect(called.at("isWaiting")).toBe(true);
  const answered = page.answer(text("Go on")).then(() => true);
  await waitFor(() => {
    due.wake();
    return Promise.race([answered, Bun.sleep(10).then(() => false)]);
  });

  expect(page.seen()).toEqual(["Order A-17"]);
  expect(page.isOver()).toBe(true);
});

async function contents(typebotId: string, page: ExistingClient): Promise<unknown> {
  const path = `/api/v1/typebots/${typebotId}/results/${page.started()?.resultId}`;
  return (await api.client.get(path, { token: owner.token })).at("result.answers.*.content");
}
