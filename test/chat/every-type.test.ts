import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi } from "../support/api.ts";
import { flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Connected, type EveryProvider, startEveryProvider } from "../support/every-provider.ts";
import { everyType, typesMissingIn } from "../support/every-type.ts";
import { createThreads, type Threads } from "../support/threads.ts";

let provider: EveryProvider;
let threads: Threads;
let api: TestApi;
let client: { readonly token: string; readonly workspaceId: string };
let connected: Connected;

beforeAll(async () => {
  provider = await startEveryProvider();
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, ...provider.options });
  const owner = await api.makeUser();
  client = { token: owner.token, workspaceId: await api.makeWorkspace(owner) };
  connected = await provider.connect(api, client);
});
afterAll(async () => {
  await threads.close();
  await api.close();
  await provider.close();
});

test("a flow with every block type runs without errors", async () => {
  const linked = await publish(api.client, client, flowOf([says("Linked")]));
  const { flow, replies } = everyType({ ...connected, linkedId: linked.botId });
  expect(typesMissingIn(flow)).toEqual([]);
  const { botId, publicId } = await publish(api.client, client, flow);
  const findings = async (bot: object) => {
    const answer = await api.client.post(`/api/v1/bots/${botId}/lint`, { token: client.token, body: { bot } });
    return answer.list("findings").map((finding) => `${Object(finding).rule}: ${Object(finding).message}`);
  };

  const began = await start(api.client, publicId);
  const [sessionId, resultId] = [began.text("sessionId"), began.text("resultId")];
  const seen = new Set<string>();
  const said: string[] = [];
  let step: object = Object(began.body);
  for (;;) {
    const { messages = [], input, clientSideActions = [] } = Object(step);
    said.push(...messages.map((message: unknown) => Object(message).content?.plainText));
    const awaited = clientSideActions.find((action: unknown) => Object(action).expectsDedicatedReply);
    const bookings = messages.filter((message: unknown) => Object(message).type === "custom-embed");
    const waits: string | undefined = input?.id ?? awaited?.type ?? bookings.at(-1)?.type;
    if (waits === undefined) break;
    if (seen.has(waits)) throw new Error(`It asks again for ${waits}: ${JSON.stringify(step)}`);
    seen.add(waits);
    if (input?.type === "payment input") provider.stripe.confirm(input.runtimeOptions.paymentIntentSecret);
    if (waits === "listenForWebhook") {
      const [, token] = /callbacks\/(\S+)/.exec(said.join("\n")) ?? [];
      await api.client.post(`/api/v1/callbacks/${token}`, { body: { name: "Grace" } });
      step = Object((await api.client.get(`/api/v1/sessions/${sessionId}`)).list("session.steps").at(-1));
    } else {
      const reply = replies.has(waits) ? (replies.get(waits) ?? undefined) : "ok";
      step = Object((await say(api.client, sessionId, reply)).body);
    }
  }

  const logs = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token: client.token });
  expect(
    logs
      .list("logs")
      .map(Object)
      .filter(({ status }) => status === "error"),
  ).toEqual([]);
  expect(said).toContain("Grace was here");
  expect(await findings(flow)).toEqual([]);
  const imported = JSON.parse(JSON.stringify(flow, (key, value) => (key === "credentialsId" ? "gone" : value)));
  expect(new Set((await findings(imported)).map((finding) => finding.split(":")[0]))).toEqual(
    new Set(["credentials_missing"]),
  );
});
