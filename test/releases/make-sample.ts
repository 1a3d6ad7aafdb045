import { providerUrls } from "../fake-providers/kit.ts";
import { startFakeStripe } from "../fake-providers/stripe.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../support/chat.ts";
import { type Answer, type Client, createClient } from "../support/client.ts";
import { endService, runCommand, startService } from "../support/service.ts";
import { upload } from "../support/uploads.ts";

/** The facts about a sample, stored with its backup. Its secrets are worthless. */
export type Sample = {
  /** The commit whose code made the sample. */
  readonly commit: string;
  readonly madeAt: string;
  readonly token: string;
  readonly workspaceId: string;
  readonly botIds: Readonly<Record<Chat, string>>;
  readonly chats: Readonly<Record<Chat, SampleChat>>;
  /** The key and the response of the start of the first chat. */
  readonly key: string;
  readonly started: unknown;
};

export type SampleChat = { readonly publicId: string; readonly sessionId: string; readonly resultId: string };

const chatNames = ["names", "ended", "versions", "file", "timer", "late", "back", "payment"] as const;
export type Chat = (typeof chatNames)[number];

/** Keys that only these tests use. */
export const sampleKey = "release-samples-release-samples-32";
export const sampleToken = "the administrator of the release samples";
const price = { amount: "12.50", currency: "EUR" };

const timeout = { after: 3_600, outgoingEdgeId: idOf("e1") };

const flows: Readonly<Record<Chat, object>> = {
  names: nameAndEmail,
  ended: nameAndEmail,
  versions: nameAndEmail,
  file: flowOf([says("Your letter?"), asks("file input"), says("And your name?"), asks("text input"), says("Sent")]),
  timer: timed(),
  late: timed(),
  back: { ...nameAndEmail, settings: { general: { isGoBackEnabled: true } } },
  payment: nameAndEmail,
};

function timed(): object {
  const flow = flowOf([says("Your name?"), asks("text input", { timeout }), says("In time")], [says("Too late")]);
  return { ...flow, edges: flow.edges.map((edge) => (edge.id === idOf("e1") ? timeoutEdge(edge) : edge)) };
}

function timeoutEdge(edge: object): object {
  return { ...edge, from: { blockId: idOf("asks text input") } };
}

function paid(credentialsId: string): object {
  return flowOf([asks("payment input", { credentialsId, ...price }), says("Paid"), asks("text input")]);
}

type Place = {
  /** The command that starts the release. */
  readonly command: readonly string[];
  readonly commit: string;
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** The path of the written backup. */
  readonly backup: string;
};

/** Lets a release create the sample's bots, chats, people and secrets through its API, and then a backup. */
export async function makeSample({ command, commit, databaseUrl, dataFolder, backup }: Place): Promise<Sample> {
  const stripe = await startFakeStripe();
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder,
    ADMIN_TOKEN: sampleToken,
    ENCRYPTION_KEY: sampleKey,
    PROVIDER_URLS: providerUrls([stripe]),
    WORKER_THREADS: "1",
    LOG_LEVEL: "warn",
  };
  const service = await startService({ command, environment });
  try {
    const client = createClient({ baseUrl: service.url, isOtherRelease: true });
    const made = await act(client);
    await endService(service);
    const written = await runCommand(["backup", backup], { command, environment });
    if (written.exitCode !== 0) throw new Error(`The backup failed: ${written.stderr}`);
    return { commit, madeAt: new Date().toISOString(), ...made };
  } finally {
    await endService(service);
    await stripe.close();
  }
}

async function act(client: Client): Promise<Omit<Sample, "commit" | "madeAt">> {
  const token = sampleToken;
  const workspace = expectMade(await client.post("/api/v1/workspaces", { token, body: { name: "Sample" } }));
  const workspaceId = workspace.text("workspace.id");
  const place = `/api/v1/workspaces/${workspaceId}`;
  const stripeKeys = { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_sample", liveWebhookSecret: "whsec_sample" };
  const credentials = expectMade(
    await client.post(`${place}/credentials`, { token, body: { type: "stripe", name: "Shop", data: stripeKeys } }),
  );
  expectMade(await client.put(`${place}/secrets/NAME`, { token, body: { value: "the value" } }));
  expectMade(await client.post(`${place}/invitations`, { token, body: { email: "bea@example.com", type: "MEMBER" } }));
  expectMade(await client.post("/api/v1/folders", { token, body: { workspaceId, folder: { name: "Folder" } } }));
  const events = { url: "https://example.com/events", eventTypes: ["result.started"], isEnabled: false };
  expectMade(await client.post(`${place}/event-endpoints`, { token, body: events }));

  const chatWith = async (name: Chat, options: object = {}) => {
    const flow = name === "payment" ? paid(credentials.text("credentials.id")) : flows[name];
    const bot = await publish(client, { token, workspaceId }, flow);
    const started = expectMade(await start(client, bot.publicId, {}, options));
    const { publicId } = bot;
    const chat = { publicId, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
    return { botId: bot.botId, chat, started };
  };
  const key = "0123456789abcdef";
  const names = await chatWith("names", { headers: { "Idempotency-Key": key } });
  const [ended, versions, file, timer] = [
    await chatWith("ended"),
    await chatWith("versions"),
    await chatWith("file"),
    await chatWith("timer"),
  ];
  const [late, back, payment] = [await chatWith("late"), await chatWith("back"), await chatWith("payment")];
  const reply = async ({ chat }: { chat: SampleChat }, ...words: readonly string[]) => {
    for (const word of words) expectMade(await say(client, chat.sessionId, word));
  };
  await reply(names, "Ana");
  await reply(ended, "Ada", "ada@example.com");
  await reply(back, "Anna");
  await reply(file, await upload(client, file.chat.sessionId, "A letter"));
  const renamed = { bot: { ...flowOf([says("Another question?"), asks("text input")]) } };
  expectMade(await client.patch(`/api/v1/bots/${versions.botId}`, { token, body: renamed }));
  expectMade(await client.post(`/api/v1/bots/${versions.botId}/publish`, { token, body: { force: true } }));
  expectMade(await client.post(`/api/v1/bots/${ended.botId}/result-exports`, { token, body: { format: "csv" } }));
  const all = { names, ended, versions, file, timer, late, back, payment };
  return {
    token,
    workspaceId,
    botIds: { ...mapAll(all, ({ botId }) => botId) },
    chats: { ...mapAll(all, ({ chat }) => chat) },
    key,
    started: names.started.body,
  };
}

function mapAll<Value, Mapped>(
  all: Readonly<Record<Chat, Value>>,
  map: (value: Value) => Mapped,
): Record<Chat, Mapped> {
  const { names, ended, versions, file, timer, late, back, payment } = all;
  return {
    names: map(names),
    ended: map(ended),
    versions: map(versions),
    file: map(file),
    timer: map(timer),
    late: map(late),
    back: map(back),
    payment: map(payment),
  };
}

function expectMade(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer;
}
