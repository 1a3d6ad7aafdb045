import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { providerUrls } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { moveClock } from "../support/moved-clock.ts";
import { createThreads, type Threads } from "../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let stripe: FakeStripe;
let publicId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  stripe = await startFakeStripe();
  const config = { PROVIDER_URLS: providerUrls([stripe]), ENCRYPTION_KEY: "k".repeat(32) };
  api = await createTestApi({ threads, config });
  owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const data = { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_planted_secret" };
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: owner.token,
    body: { type: "stripe", name: "Shop", data },
  });
  const options = { credentialsId: made.text("credentials.id"), amount: "12.50", currency: "EUR" };
  const flow = flowOf([asks("payment input", options), says("Thank you"), asks("text input")]);
  ({ publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow));
});
afterAll(async () => {
  await threads.close();
  await api.close();
  await stripe.close();
});

/** Starts a chat that asks for a payment. Returns the chat and the path of its payment page. */
async function asked() {
  const started = await start(api.client, publicId);
  const { pathname } = new URL(started.text("input.runtimeOptions.pageUrl"));
  const secret = started.text("input.runtimeOptions.paymentIntentSecret");
  return { sessionId: started.text("sessionId"), page: pathname, secret };
}

const visit = (path: string) => api.handle(new Request(`http://localhost${path}`));

describe("the page of a payment", () => {
  test("the page of a payment contains no secret key", async () => {
    const { page, secret, sessionId } = await asked();

    const response = await visit(page);
    const html = await response.text();

    expect(response.status).toBe(200);
    expect(html).toContain("https://js.stripe.com/v3/");
    expect(html).toContain(`data-secret="${secret}"`);
    expect(html).toContain(`href="${page}/hosted"`);
    expect(html).not.toContain("planted");
    expect(html).not.toContain(sessionId);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    expect(response.headers.get("cache-control")).toContain("no-store");
  });

  test("switching to the hosted page cancels the form's payment", async () => {
    const { page, secret, sessionId } = await asked();

    const hosted = await visit(`${page}/hosted`);
    const sessionPaid = hosted.headers.get("location")?.split("/").at(-1) ?? "";

    expect(hosted.status).toBe(303);
    expect(() => stripe.confirm(secret)).toThrow("canceled");
    stripe.payAtCheckout(sessionPaid);
    expect(await (await visit(`${page}/done`)).text()).toContain("The payment is complete.");
    expect((await say(api.client, sessionId, "Success")).at("messages.0.content.plainText")).toBe("Thank you");
    expect(stripe.taken()).toBe(1250);
  });

  test("the page of a payment offers no second payment after a successful payment", async () => {
    const { page, secret } = await asked();
    const before = stripe.taken();
    stripe.confirm(secret);

    for (const path of [page, `${page}/hosted`, `${page}/done`]) {
      const html = await (await visit(path)).text();
      expect(html).toContain("The payment is complete.");
      expect(html).not.toContain("js.stripe.com");
    }
    expect(stripe.taken()).toBe(before + 1250);
  });

  test("the page of a payment is available for a day", async () => {
    const { page } = await asked();

    await moveClock(api.deps.sql, 86_000);
    expect((await visit(page)).status).toBe(200);
    await moveClock(api.deps.sql, 86_500);
    expect((await visit(page)).status).toBe(404);
    await moveClock(api.deps.sql, 0);
  });

  test("the page of a payment is not found at a changed address", async () => {
    const { page } = await asked();
    const other = `${page.slice(0, -1)}${page.endsWith("A") ? "B" : "A"}`;

    for (const path of [other, "/.pay/x", `${other}/hosted`, `${other}/done`]) {
      expect((await visit(path)).status).toBe(404);
    }
  });
});
