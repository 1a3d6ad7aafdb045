import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import type { Answer, RequestOptions } from "../../support/client.ts";
import { createHastenedClock } from "../../support/hastened-clock.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

const webhookSecret = "whsec_planted_live_secret";

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Opens a service with a fake Stripe, and with a clock that shortens the waits for Stripe. */
export async function openShop() {
  const threads = createThreads({ count: 1 });
  const clock = createHastenedClock();
  const stripe: FakeStripe = await startFakeStripe();
  const api: TestApi = await createTestApi({
    threads,
    clock,
    config: { PROVIDER_URLS: providerUrls([stripe]), ENCRYPTION_KEY: "k".repeat(32) },
  });
  const owner: TestUser = await api.makeUser();
  const { token } = owner;
  const workspaceId = await api.makeWorkspace(owner);
  const makeCredentials = async (place = workspaceId): Promise<string> => {
    const data = {
      ...{ liveSecretKey: "sk_live_planted_key_1", livePublicKey: "pk_live_1", liveWebhookSecret: webhookSecret },
      ...{ testSecretKey: "sk_test_planted_key_2", testPublicKey: "pk_test_1" },
    };
    const body = { type: "stripe", name: "Shop", data };
    return (await api.client.post(`/api/v1/workspaces/${place}/credentials`, { token, body })).text("credentials.id");
  };
  const credentialsId = await makeCredentials();
  const due: DueSteps = startDueSteps(api.deps);
  const ofResult = (botId: string, resultId: string) => `/api/v1/bots/${botId}/results/${resultId}`;

  /**
   * A flow that asks for a price, and then for a payment of that price. Visitors may go back. The command `dear` sets
   * the price to 1000, and `aside` asks another question.
   */
  const priced = (options: object = {}, aside: readonly object[] = [], thanks = "Paid") => {
    const price = (value: string) => ({
      ...{ id: idOf(`price ${value}`), type: "Set variable" },
      options: { variableId: idOf("Email"), expressionToEvaluate: value },
    });
    const jump = (id: string) => ({ id: idOf(id), type: "Jump", options: { groupId: idOf("g1") } });
    const flow = flowOf(
      [asks("number input", { variableId: idOf("Email") })],
      [
        asks("payment input", { credentialsId, amount: "{{Email}}", currency: "EUR", ...options }),
        says(`${thanks} {{Email}}`),
        asks("text input"),
      ],
      [says("Elsewhere"), asks("email input"), price("1000"), jump("dear")],
      [says("Aside"), asks("url input"), ...aside, jump("aside")],
      [says("Not taken"), asks("time input")],
    );
    const command = (name: string, index: number) => ({
      ...{ id: idOf(name), type: "command", options: { command: name }, outgoingEdgeId: idOf(`e${index}`) },
      graphCoordinates: { x: 0, y: 0 },
    });
    const edges = flow.edges.map((edge) =>
      edge.id === idOf("e1") ? { ...edge, from: { blockId: idOf("asks number input") } } : edge,
    );
    const groups = flow.groups.map((group, index) =>
      index === 0
        ? { ...group, blocks: group.blocks.map((block) => ({ ...block, outgoingEdgeId: idOf("e1") })) }
        : group,
    );
    return {
      ...{ ...flow, groups, edges, events: [...flow.events, command("dear", 2), command("aside", 3)] },
      settings: { general: { isGoBackEnabled: true } },
    };
  };

  return {
    ...{ api, clock, owner, stripe, due, workspaceId, credentialsId, makeCredentials, priced },
    make: (flow: object) => publish(api.client, { token, workspaceId }, flow),
    /** Publishes another version of a bot, and moves its chats to it. */
    async move(botId: string, flow: object): Promise<void> {
      await api.client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: flow } });
      await api.client.post(`/api/v1/bots/${botId}/publish`, { token, body: { force: true, runningChats: "move" } });
    },
    async versionOf(sessionId: string): Promise<number | undefined> {
      const [row] = await api.deps.sql<{ number: number }[]>`
        select publication_number as number from sessions where id = ${sessionId}`;
      return row?.number;
    },
    async asked(price: number, flow: object = priced()) {
      const bot = await publish(api.client, { token, workspaceId }, flow);
      const started = await start(api.client, bot.publicId);
      const sessionId = started.text("sessionId");
      const shown = await say(api.client, sessionId, String(price));
      return { ...bot, sessionId, resultId: started.text("resultId"), shown, secret: secretIn(shown) };
    },
    say: (sessionId: string, message: unknown, options?: RequestOptions) =>
      say(api.client, sessionId, message, options),
    command: (sessionId: string, command: string) => say(api.client, sessionId, { type: "command", command }),
    goBack: (sessionId: string, options: RequestOptions = {}) =>
      api.client.post(`/api/v1/sessions/${sessionId}/goBack`, options),
    session: (sessionId: string) => api.client.get(`/api/v1/sessions/${sessionId}`),
    result: async (botId: string, resultId: string) =>
      (await api.client.get(ofResult(botId, resultId), { token })).at("result"),
    logs: async (botId: string, resultId: string) =>
      [(await api.client.get(`${ofResult(botId, resultId)}/logs`, { token })).at("logs.*.description")].flat(),
    intentOf: (secret: string) => stripe.intents.get(secret.slice(0, secret.indexOf("_secret_"))),
    report(secret: string) {
      const signed = stripe.report(secret.slice(0, secret.indexOf("_secret_")), { secret: webhookSecret });
      const headers = { "stripe-signature": signed.signature };
      return api.client.post(`/api/v1/payments/stripe/${credentialsId}`, { rawBody: signed.body, headers });
    },
    payments: (sessionId: string) => api.deps.sql<{ id: string; status: string; amount: number; attempt: number }[]>`
      select id, status, amount, attempt
      from payments
      where session_id = ${sessionId}
      order by id`,
    /** Returns the number of the session's due steps for payments. */
    waiting: async (sessionId: string) =>
      (await api.deps.sql`select from due_steps where kind = 'payment' and session_id = ${sessionId}`).length,
    /** Returns the requests to the provider that name the intent of the secret. */
    askedAbout: (secret: string) => {
      const id = secret.slice(0, secret.indexOf("_secret_"));
      return stripe.asked.filter(({ path }) => path.split("/").includes(id));
    },
    /** Waits until all due payment steps of the session have run. */
    settled: (sessionId: string) =>
      waitFor(async () => {
        due.wake();
        const rows = await api.deps.sql`
          select
          from due_steps
          where kind = 'payment'
            and session_id = ${sessionId}
            and (held_until <= clock() or held_by is not null)`;
        return rows.length === 0;
      }),
    async recover(): Promise<void> {
      stripe.recover();
      await moveClock(api.deps.sql, 0);
    },
    async close(): Promise<void> {
      await due.stop();
      await threads.close();
      await api.close();
      await stripe.close();
    },
  };
}

export function secretIn(answer: Answer): string {
  return answer.text("input.runtimeOptions.paymentIntentSecret");
}

export const refusal = "Payment failed. Please, try again.";
