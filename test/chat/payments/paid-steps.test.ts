import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { addDueStep } from "../../../src/chat/saves/added-steps.sql.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";
import { type SeenPage, visitor } from "../../support/web-page.ts";

const liveWebhookSecret = "whsec_planted_live_secret";
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
  const data = { liveSecretKey: "sk_live_planted_secret", livePublicKey: "pk_live_1", liveWebhookSecret };
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: owner.token,
    body: { type: "stripe", name: "Shop", data },
  });
  credentialsId = made.text("credentials.id");
  due = startDueSteps(api.deps);
});
afterAll(async () => {
  await due.stop();
  await threads.close();
  await api.close();
  await stripe.close();
});

const shop = () =>
  publish(
    api.client,
    { token: owner.token, workspaceId },
    {
      ...flowOf([
        says("Your tea?"),
        asks("payment input", { credentialsId, amount: "12.50", currency: "EUR", variableId: idOf("Name") }),
        says("Thank you: {{Name}}"),
        asks("text input"),
        { id: idOf("all"), type: "Set variable", options: { variableId: idOf("Email"), type: "Transcript" } },
        says("{{Email}}"),
      ]),
      settings: { general: { language: "de", isTranscriptSavingEnabled: true } },
    },
  );

/** Reports a payment as the provider does, and waits until the service has handled the report. */
async function reportsPaid(secret: string, status: "succeeded" | "processing" = "succeeded"): Promise<void> {
  stripe.confirm(secret, { status });
  const intent = secret.slice(0, secret.indexOf("_secret_"));
  const { body, signature } = stripe.report(intent, { secret: liveWebhookSecret });
  const headers = { "stripe-signature": signature };
  await api.client.post(`/api/v1/payments/stripe/${credentialsId}`, { rawBody: body, headers });
  await waitFor(async () => {
    due.wake();
    return (await api.deps.sql`select from due_steps where kind = 'payment'`).length === 0;
  });
}

async function paidChat() {
  const bot = await shop();
  const started = await start(api.client, bot.publicId);
  await reportsPaid(started.text("input.runtimeOptions.paymentIntentSecret"));
  return { ...bot, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

const paidText = "12,50\u00a0€ bezahlt";
const session = (id: string) => api.client.get(`/api/v1/sessions/${id}`);
const transcriptOf = ({ botId, resultId }: { botId: string; resultId: string }, format = "json") =>
  `/api/v1/bots/${botId}/results/${resultId}/transcript?format=${format}`;

describe("a payment that the provider reported", () => {
  test("a reported payment appears in the session with its amount", async () => {
    const { sessionId, botId, resultId } = await paidChat();

    const steps = (await session(sessionId)).at("session.steps");
    expect(steps).toMatchObject([{ reply: null }, { reply: null, paid: { amount: 12.5, currency: "EUR" } }]);
    expect(steps).not.toMatchObject([{ paid: {} }, {}]);
    const found = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token });
    expect(found.at("result.answers.0.content")).toBe("Success");
  });

  test("a reported payment appears in the transcript in the chat's language", async () => {
    const chat = await paidChat();
    const { token } = owner;

    const told = await api.client.get(transcriptOf(chat), { token });
    expect(told.at("transcript.*.text")).toEqual(["Your tea?", paidText, "Thank you: Success"]);
    expect(told.at("transcript.1.role")).toBe("user");
    const text = await api.handle(
      new Request(`http://localhost${transcriptOf(chat, "text")}`, { headers: { authorization: `Bearer ${token}` } }),
    );
    expect(await text.text()).toContain(`Visitor: ${paidText}\n`);
  });

  test("a reported payment appears in the conversation that a block stores", async () => {
    const { sessionId } = await paidChat();

    // The first reply returns the step that this client has not seen yet.
    await say(api.client, sessionId, "Bye");
    const last = await say(api.client, sessionId, "Bye");
    expect(last.text("messages.0.content.plainText")).toContain(`User: "${paidText}"`);
  });

  test("a reported payment is shown without its amount if the amount was erased", async () => {
    const { sessionId, ...chat } = await paidChat();
    await api.deps.sql`delete from payments where session_id = ${sessionId}`;

    expect((await session(sessionId)).at("session.steps.1.paid")).toEqual({});
    const told = await api.client.get(transcriptOf(chat), { token: owner.token });
    expect(told.at("transcript.1.text")).toBe("Bezahlt");
  });

  test("an unconfirmed payment is not part of the conversation", async () => {
    const bot = await shop();
    const started = await start(api.client, bot.publicId);
    const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
    const [payment] = await api.deps.sql<{ id: string }[]>`select id from payments where session_id = ${sessionId}`;
    const content = { paymentId: payment?.id };
    await addDueStep(api.deps.sql, { sessionId, botId: bot.botId, kind: "payment", content });
    await waitFor(async () => {
      due.wake();
      return (await api.deps.sql`select from due_steps where session_id = ${sessionId}`).length === 0;
    });

    expect((await session(sessionId)).at("session.input.type")).toBe("payment input");
    const said = await api.client.get(transcriptOf({ botId: bot.botId, resultId }), { token: owner.token });
    expect(said.at("transcript.*.role")).not.toContain("user");
  });
});

describe("a page without scripts", () => {
  /** Opens a visitor's page at a payment that the provider then reports. */
  async function paidPage(): Promise<{ page: ReturnType<typeof visitor>; seen: SeenPage; sessionId: string }> {
    const { publicId } = await shop();
    const page = visitor(api);
    const first = await page.visit(`/${publicId}`);
    const seen = await page.post(first, {}, first.form?.buttons[0]?.label);
    const sessionId = seen.form?.hidden["session"] ?? "";
    const read = await session(sessionId);
    await reportsPaid(read.text("session.input.runtimeOptions.paymentIntentSecret"));
    return { page, seen, sessionId };
  }

  test("the page without scripts and the saved conversation show the paid amount", async () => {
    const { page, seen } = await paidPage();

    const after = await page.post(seen, {}, seen.form?.buttons.at(-1)?.label);
    expect(after.said).toEqual(["bot: Your tea?", `visitor: ${paidText}`, "bot: Thank you: Success"]);
    const ended = await page.post(after, { text: "Bye" });
    const file = await page.post({ ...ended, form: ended.forms[0] }, { control: "saveTranscript" });
    expect(file.html).toContain(`Sie: ${paidText}\n`);
  });
});
