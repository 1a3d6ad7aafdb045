import { workerData } from "node:worker_threads";
import { createLazySandbox } from "../src/chat/threads/lazy-sandbox.ts";
import { lowerPriority } from "../src/chat/threads/lower-priority.ts";
import type { AsideTask } from "../src/chat/threads/pool.ts";
import { blocks } from "../src/core/blocks/index.ts";
import type { ReplayPage } from "../src/core/replay/replay-page.ts";
import type { AdvanceAnswer, AdvanceTask, ReplayTask, TaskResult, ThreadKind } from "../src/core/tasks/messages.ts";
import { createMeter, sharedQuota } from "../src/core/tasks/meter.ts";
import { createProgramCache, programCacheBytes } from "../src/core/tasks/program-cache.ts";
import { runTask } from "../src/core/tasks/run-task.ts";
import { createSandbox } from "../src/platform/sandbox/index.ts";

/** The processor time in ms after which a thread runs no further step of its batch. */
const sliceMs = 10;

/**
 * The longest time for which a thread replays chats before other tasks can run. The time is checked between two chats.
 */
const replaySliceMs = 250;

const kind: ThreadKind = workerData;
if (kind === "slow") lowerPriority();

const sandbox = createLazySandbox(createSandbox);
const tools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript: sandbox.runScript };

/**
 * Runs the task of a worker thread: steps, test conversations, chats to replay, a body to parse, or a flow to hash.
 * Modules that only some tasks require are loaded with the first such task.
 */
export default async function work(task: readonly AdvanceTask[] | AsideTask): Promise<TaskResult[] | string> {
  if ("body" in task) {
    const { readBody } = await import("../src/core/documents/incoming-body.ts");
    return readBody(task.body);
  }
  if ("addressed" in task) {
    const { canonicalHash } = await import("../src/core/flow/canonical.ts");
    return canonicalHash(JSON.parse(task.addressed)).toString("hex");
  }
  if ("conversations" in task) {
    const [{ prove }] = await Promise.all([import("../src/core/test-conversations/prove.ts"), sandbox.load()]);
    return JSON.stringify(prove(tools, JSON.parse(task.flow), JSON.parse(task.conversations)));
  }
  return "page" in task ? await replay(task) : await advance(task);
}

async function replay({ page, steps }: ReplayTask): Promise<string> {
  const [{ replayPage }] = await Promise.all([import("../src/core/replay/replay-page.ts"), sandbox.load()]);
  const begun = performance.now();
  const chats: Omit<ReplayPage, "steps"> = JSON.parse(page);
  return JSON.stringify(replayPage(tools, { ...chats, steps }, () => performance.now() - begun > replaySliceMs));
}

/**
 * Runs steps sequentially and returns their results. After a slow step, the remaining steps are not run, so that they
 * do not also wait for the next slow step.
 */
async function advance(tasks: readonly AdvanceTask[]): Promise<TaskResult[]> {
  let begun = busyMs();
  const results: TaskResult[] = [];
  for (const task of tasks) {
    let before = busyMs();
    let answer = run(task);
    if (sandbox.isLoading()) {
      // The first step that runs a script starts again after the sandbox is loaded, so that loading does not count as
      // the step's time.
      await sandbox.load();
      begun = before = busyMs();
      answer = run(task);
    }
    const after = busyMs();
    results.push({ answer, busyMs: after - before });
    if (after - begun > sliceMs) break;
  }
  return results;
}

function run(task: AdvanceTask): AdvanceAnswer {
  return runTask(tools, task, kind === "shared" ? createMeter(sharedQuota) : undefined);
}

/** Returns this thread's own processor time. By the wall clock, steps would appear slow on a busy machine. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
