import { afterEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createThreads } from "../../src/chat/threads/threads.ts";
import { createAnonymousLane } from "../../src/chat/threads/turns.ts";
import type { AdvanceTask } from "../../src/core/tasks/messages.ts";
import { limits } from "../../src/limits/index.ts";
import { temporaryFolder } from "../support/folder.ts";
import { cleanupStack } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

/** Starts threads whose steps obey the given orders. Some steps block their thread until the test releases it. */
function open(threadCount: number) {
  const threads = createThreads({ count: threadCount, file: new URL("./obedient-worker.ts", import.meta.url).href });
  const folder = temporaryFolder();
  const held: string[] = [];
  let count = 0;
  const letGo = (most = held.length): void => {
    for (const path of held.splice(0, most)) rmSync(path);
  };
  cleanups.add(async () => {
    letGo();
    await threads.close();
    folder.remove();
  });
  /** The clients that were answered, in order. */
  const answered: string[] = [];
  const give = async (who: string, order: string, { botId = who, isAnonymous = false } = {}): Promise<unknown> => {
    const loadFlow = () => Promise.reject(new Error("Nothing is loaded here"));
    const answer = await threads.advance(taskOf(order, botId), { loadFlow, workspaceId: who, isAnonymous });
    answered.push(who);
    return answer.kind === "refused" ? answer.data["threadId"] : undefined;
  };
  return {
    ...{ threads, answered, give, letGo },
    hold(who: string, options?: Parameters<typeof give>[2]): Promise<unknown> {
      const path = join(folder.path, String(count++));
      writeFileSync(path, "");
      held.push(path);
      return give(who, `hold ${path}`, options);
    },
    usage: (of: string) => threads.usages()[of],
  };
}

function taskOf(order: string, botId: string): AdvanceTask {
  return {
    program: { key: order, botId },
    programs: [],
    context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
    input: { kind: "start", resultId: null, isStreamEnabled: false, isOnlyRegistering: true, reply: null, options: {} },
  };
}

test("a workspace's step waits only for the running step of another workspace", async () => {
  const { give, hold, letGo, answered, usage } = open(1);
  await give("attacker", "cost 90");
  answered.length = 0;

  const attacks = [hold("attacker"), ...Array.from({ length: 150 }, () => give("attacker", "cost 90"))];
  await waitFor(() => usage("threads")?.waiting === 150);
  const victim = give("victim", "go");
  letGo();
  await victim;

  expect(answered).toEqual(["attacker", "victim"]);
  await Promise.all(attacks);
  expect(usage("threads")).toEqual({ held: 0, waiting: 0, refused: 0 });
});

test("small steps are sent to the threads in batches", async () => {
  const { give, hold, letGo, usage } = open(2);
  for (let step = 0; step < 30; step++) await give("busy", "go");

  const steps = [
    ...Array.from({ length: 2 }, () => hold("busy")),
    ...Array.from({ length: 100 }, () => give("busy", "go")),
  ];
  await waitFor(() => usage("threads")?.waiting === 102 - 64);
  letGo();

  await Promise.all(steps);
});

test("one workspace gets at most two thirds of the queue for threads", async () => {
  const { give, hold, letGo, answered, usage } = open(1);
  await give("attacker", "cost 90");
  answered.length = 0;
  const line = Math.floor((limits.threads.queue * 2) / 3);

  const attacks = Promise.allSettled([
    hold("attacker"),
    ...Array.from({ length: 300 }, () => give("attacker", "cost 90")),
  ]);
  await waitFor(() => usage("threads")?.refused === 300 - line);
  const victims = Array.from({ length: 20 }, (_, at) => give(`victim ${at}`, "go"));
  letGo();
  await Promise.all(victims);

  expect((await attacks).filter(({ status }) => status === "rejected")).toHaveLength(300 - line);
  // The attacker's second step had its turn only after the first step was done.
  expect(answered.slice(0, 22).filter((who) => who === "attacker").length).toBeLessThanOrEqual(2);
});

test("endless steps of one workspace use one slow thread", async () => {
  const { give, hold, letGo, answered, usage } = open(1);
  for (const who of ["attacker", "victim"]) await give(who, "burn");
  answered.length = 0;

  const attacks = Promise.allSettled(Array.from({ length: 40 }, () => hold("attacker")));
  await waitFor(() => usage("slow_threads")?.refused === 40 - 1 - limits.threads.runawayQueue / 2);
  expect(usage("slow_threads")).toMatchObject({ held: 1, waiting: limits.threads.runawayQueue / 2 });
  await give("victim", "go");

  expect(answered).toEqual(["victim"]);
  letGo();
  await attacks;
});

test("the next free slow thread runs the step of a third workspace", async () => {
  const { give, hold, letGo, answered, usage } = open(1);
  for (const who of ["one", "other", "victim"]) await give(who, "burn");
  answered.length = 0;
  const attacks = ["one", "other"].flatMap((who) => [hold(who), ...Array.from({ length: 9 }, () => give(who, "go"))]);
  await waitFor(() => usage("slow_threads")?.waiting === 18);

  const victim = give("victim", "go");
  // Only one thread is released, because the answers of the other thread would show nothing about turns.
  letGo(1);
  await victim;

  expect(answered).toEqual(["one", "victim"]);
  letGo();
  await Promise.all(attacks);
});

test("previews without a token run on separate threads", async () => {
  const { give, hold, letGo, answered } = open(1);
  const threadsOf = new Set([await give("author", "go"), await give("slow", "burn"), await give("slow", "go")]);
  answered.length = 0;

  const previews = Array.from({ length: 5 }, (_, at) => hold(`preview ${at}`, { isAnonymous: true }));
  for (let step = 0; step < 5; step++) threadsOf.add(await give("author", "go"));
  for (let step = 0; step < 5; step++) threadsOf.add(await give("slow", "go"));
  expect(answered.filter((who) => who.startsWith("preview"))).toEqual([]);
  letGo();

  for (const thread of new Set(await Promise.all(previews))) expect(threadsOf.has(thread)).toBe(false);
});

test("one visitor gets at most half of the anonymous preview queue", async () => {
  const lane = createAnonymousLane();
  const first = Promise.withResolvers<void>();
  const ran: string[] = [];
  const go = (visitor: string, task = async () => {}) =>
    lane.run(visitor, async () => {
      ran.push(visitor);
      await task();
    });
  const flood = [go("attacker", () => first.promise), ...Array.from({ length: 30 }, () => go("attacker"))];
  const settled = Promise.allSettled(flood);
  await waitFor(() => lane.usage().refused > 0);
  expect(lane.usage()).toEqual({ held: 1, waiting: limits.threads.anonymousPreviewQueue / 2, refused: 22 });

  const victim = go("victim");
  first.resolve();
  await victim;

  expect(ran).toEqual(["attacker", "victim"]);
  await settled;
});
