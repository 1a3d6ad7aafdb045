import { createHash } from "node:crypto";
import { startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { startNoteWriter } from "../../../src/management/insight/insight-notes.ts";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createDice } from "../../core/editing/dice.ts";
import type { FakeStripe } from "../../fake-providers/stripe.ts";
import type { TestApi, TestUser } from "../../support/api.ts";
import { publish } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { canaryFrom, flowOfVersion, type Moment, moments, secondVersionFrom } from "./visited-flow.ts";
import { type Given, type Visit, visit, webhookSecret } from "./visitors.ts";

type Place = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly workspaceId: string;
  readonly stripe: FakeStripe;
};

export type Visited = {
  readonly botId: string;
  readonly publicId: string;
  readonly visits: readonly Visit[];
  /** The times at which the chat page was shown, and the version that was published at each time. */
  readonly pages: readonly { readonly moment: Moment; readonly version: number }[];
};

/**
 * Lets visitors chat with a new bot, each at a given time of the database's clock, while an author publishes.
 * Afterwards results are imported, a person is erased, some results are deleted, and all results are counted.
 */
export async function haveVisited({ api, owner, workspaceId, stripe }: Place, count: number): Promise<Visited> {
  const { client, deps } = api;
  const { token } = owner;
  const credentials = await client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token,
    body: {
      ...{ type: "stripe", name: "Shop" },
      data: { liveSecretKey: "sk_live_planted_key_1", livePublicKey: "pk_live_1", liveWebhookSecret: webhookSecret },
    },
  });
  const credentialsId = credentials.text("credentials.id");
  const bot = await publish(client, { token, workspaceId }, { name: "Visited", ...flowOfVersion(1, credentialsId) });
  const publishNext = async (version: 2 | 3, body: object) => {
    const changed = { bot: flowOfVersion(version, credentialsId), overwrite: true };
    await client.patch(`/api/v1/bots/${bot.botId}`, { token, body: changed });
    const published = await client.post(`/api/v1/bots/${bot.botId}/publish`, { token, body: { force: true, ...body } });
    if (published.status !== 200) throw new Error(`Version ${version} was not published: ${published.status}`);
  };
  const due = startDueSteps(deps);
  const dice = createDice(52);
  const [visits, pages]: [Visit[], { moment: Moment; version: number }[]] = [[], []];
  let live = 1;
  let hasCanary = false;
  try {
    for (let index = 0; index < count; index++) {
      const moment = moments[Math.floor((index * moments.length) / count)];
      if (!moment) break;
      if (live === 1 && moment.at >= secondVersionFrom) {
        await countAll(deps.sql);
        await publishNext(2, {});
        live = 2;
      }
      if (!hasCanary && moment.at >= canaryFrom) {
        await publishNext(3, { percent: 50 });
        hasCanary = true;
      }
      if (index % 8 === 0) {
        await moveClock(deps.sql, (Date.parse(moment.at) - Date.now()) / 1_000);
        await api.handle(new Request(`http://localhost/${bot.publicId}`));
        await startNoteWriter(deps.sql, deps.insightNotes, { onFailure: rethrow }).stop();
        pages.push({ moment, version: live });
      }
      const startKey = startKeyFor(bot.botId, index % 2 === 0);
      visits.push(await visit({ api, due, stripe, credentialsId, dice, moment, startKey }, bot.publicId));
    }
  } finally {
    await moveClock(deps.sql, 0);
    await due.stop();
  }
  visits.push(...(await bring(api, owner, bot.botId)));
  for (const task of resultValues(deps.sql)) while ((await task.removeSome()) > 0);
  await erase({ api, owner, workspaceId }, visits);
  await remove(api, { token, botId: bot.botId }, visits);
  await countAll(deps.sql);
  return { ...bot, visits, pages };
}

/**
 * Returns a start key that gets the third version under a canary of 50 percent, or one that does not. With random keys,
 * the number of chats with this version would depend on chance.
 */
function startKeyFor(botId: string, isCanary: boolean): string {
  for (;;) {
    const key = newId();
    const hash = createHash("sha256")
      .update(JSON.stringify([botId, 3, key]))
      .digest();
    if (hash.readUInt32BE(0) < 2 ** 31 === isCanary) return key;
  }
}

type Sql = TestApi["deps"]["sql"];

/** Counts all existing results, as the schedule does once results are due. */
async function countAll(sql: Sql): Promise<void> {
  await sql`update insight_results set next_at = clock() where next_at is not null`;
  const job = insight(sql);
  while ((await job.removeSome()) > 0);
}

function rethrow(error: unknown): never {
  throw error;
}

/** Imports results of another service. Some have answers, and some have a version. */
async function bring({ client }: TestApi, { token }: TestUser, botId: string): Promise<Visit[]> {
  const day = "2026-10-25";
  const at = (minute: number) => `${day}T12:${String(minute).padStart(2, "0")}:00.000Z`;
  const given = (blockId: string, content: string, minute: number): Given => {
    const edgeId = undefined;
    return { blockId, content, edgeId, sentAt: Date.parse(at(minute)), takenAt: Date.parse(at(minute)) };
  };
  const stories = [
    { version: undefined, isCompleted: false, hasStarted: false, answers: [] },
    { version: undefined, isCompleted: true, hasStarted: true, answers: [given("plan", "Pro", 11)] },
    { version: 2, isCompleted: true, hasStarted: true, answers: [given("plan", "Pro", 11), given("stars", "7", 12)] },
    { version: 1, isCompleted: false, hasStarted: true, answers: [given("why", "so", 14)] },
  ];
  const results = stories.map(({ version, isCompleted, hasStarted, answers }, index) => ({
    ...{ id: `brought-${index}`, createdAt: at(10), publicationNumber: version ?? null, isCompleted, hasStarted },
    variables: [],
    answers: answers.map(({ blockId, content, takenAt }) => ({
      ...{ blockId, content, createdAt: new Date(takenAt).toISOString() },
    })),
  }));
  const path = `/api/v1/bots/${botId}/results`;
  const before = await idsOf(client, { token, botId });
  const body = { source: "https://elsewhere.example", results };
  const answer = await client.post(`${path}/import`, { token, body });
  if (answer.at("added") !== stories.length) throw new Error(`Not imported: ${JSON.stringify(answer.body)}`);
  const added = [...(await idsOf(client, { token, botId }))].filter((id) => !before.has(id));
  return stories.map(({ version, isCompleted, hasStarted, answers }, index) => ({
    // The order of the results is irrelevant, because they are counted together.
    ...{ resultId: added[index] ?? "", version, moment: { at: at(10), day }, name: "" },
    ...{ startSentAt: Date.parse(at(10)), startedAt: Date.parse(at(10)), waitsAt: undefined, isEnded: isCompleted },
    ...{ shown: new Set(answers.map(({ blockId }) => blockId)), hasAnswered: hasStarted, answers },
    ...{ timedOut: [], payments: 0, paysNextDay: false, isGone: false },
  }));
}

type OfBot = { readonly token: string; readonly botId: string };

async function idsOf(client: TestApi["client"], { token, botId }: OfBot): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = { timeFilter: "allTime", limit: 100, ...(cursor !== undefined && { cursor }) };
    const page = await client.get(`/api/v1/bots/${botId}/results`, { token, query });
    for (const result of page.list("results")) ids.add(String(Object(result).id));
    cursor = Object(page.body).nextCursor;
  } while (cursor !== undefined);
  return ids;
}

async function erase({ api, owner, workspaceId }: Omit<Place, "stripe">, visits: readonly Visit[]): Promise<void> {
  const body = { variable: "Name", value: "Bob" };
  const path = `/api/v1/workspaces/${workspaceId}/person-erasures`;
  const erased = await api.client.post(path, { token: owner.token, body });
  if (erased.status !== 200) throw new Error(`Not erased: ${JSON.stringify(erased.body)}`);
  for (const visit of visits) {
    if (visit.answers.some(({ blockId, content }) => blockId === "name" && content === "Bob")) visit.isGone = true;
  }
}

async function remove({ client }: TestApi, { token, botId }: OfBot, visits: readonly Visit[]): Promise<void> {
  const standing = visits.filter(({ name, isGone }) => name !== "" && !isGone);
  const payer = standing.find(({ payments, paysNextDay }) => payments > 0 && !paysNextDay);
  const removed = standing.filter((visit) => visit === payer || visits.indexOf(visit) % 17 === 5);
  const body = { resultIds: removed.map(({ resultId }) => resultId) };
  await client.delete(`/api/v1/bots/${botId}/results`, { token, body });
  for (const visit of removed) visit.isGone = true;
}
