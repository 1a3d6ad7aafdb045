import { afterAll, beforeAll, expect } from "bun:test";
import { createThreads, type Threads } from "../../src/chat/threads/threads.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { isLong } from "../support/campaigns.ts";
import { nameAndEmail, publish, say, start } from "../support/chat.ts";
import { longTest } from "../support/long-test.ts";
import { again, script, trap } from "./flows.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

if (isLong)
  beforeAll(async () => {
    // The time limit is shorter than the time in which endless scripts use up their own budget.
    threads = createThreads({ count: 2, taskMs: 1_200 });
    api = await createTestApi({ threads });
    owner = await api.makeUser();
    workspaceId = await api.makeWorkspace(owner);
  });
if (isLong)
  afterAll(async () => {
    await threads.close();
    await api.close();
  });

const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);

async function converse(publicId: string, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  while (!isOver()) {
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    const named = await say(api.client, sessionId, "Ana");
    const last = await say(api.client, sessionId, "ana@example.com");
    expect(last.at("messages.*.content.plainText")).toEqual(["Thank you"]);
    statuses.push(started.status, named.status, last.status);
  }
  return statuses;
}

longTest(
  "other chats continue while threads with endless steps are killed",
  async () => {
    const calm = await published(nameAndEmail);
    // Each trap is a separate bot, so that each bot first uses a shared thread.
    const traps = await Promise.all([1, 2].map(() => published(trap([script("for (;;);"), again]))));
    let isOver = false;

    const others = [1, 2, 3, 4].map(() => converse(calm.publicId, () => isOver));
    const attacks = await Promise.all(
      traps.map(async ({ publicId }) => {
        const started = await start(api.client, publicId);
        const sessionId = started.text("sessionId");
        const killed = [await say(api.client, sessionId, "go"), await say(api.client, sessionId, "go")];
        return { killed, calm: await say(api.client, sessionId, "calm") };
      }),
    );
    isOver = true;

    const statuses = (await Promise.all(others)).flat();
    expect(statuses.length).toBeGreaterThan(20);
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const { killed, calm: after } of attacks) {
      const overTime = { status: 422, body: { code: "step.over_budget", data: { limit: "time" } } };
      expect(killed).toMatchObject([overTime, overTime]);
      expect(after.at("messages.*.content.plainText")).toEqual(["Still here"]);
    }
  },
  120_000,
);
