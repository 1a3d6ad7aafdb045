import { workerData } from "node:worker_threads";
import { lowerPriority } from "../src/chat/threads/lower-priority.ts";
import type { AsideTask } from "../src/chat/threads/pool.ts";
import { blocks } from "../src/core/blocks/index.ts";
import { readBody } from "../src/core/documents/incoming-body.ts";
import { canonicalHash } from "../src/core/flow/canonical.ts";
import { type ReplayPage, replayPage } from "../src/core/replay/replay-page.ts";
import type { AdvanceTask, ReplayTask, TaskResult, ThreadKind } from "../src/core/tasks/messages.ts";
import { createMeter, sharedQuota } from "../src/core/tasks/meter.ts";
import { createProgramCache, programCacheBytes } from "../src/core/tasks/program-cache.ts";
import { runTask } from "../src/core/tasks/run-task.ts";
import { prove } from "../src/core/test-conversations/prove.ts";
import { createSandbox } from "../src/platform/sandbox/index.ts";

/** A thread that has been busy this long gives the rest of its batch back. */
const sliceMs = 10;

/** The same for one that replays chats, between two of them: others wait for their turn. */
const replaySliceMs = 250;

const kind: ThreadKind = workerData;
if (kind === "slow") lowerPriority();

const tools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript: await createSandbox() };

/** The task of a worker thread: steps, test conversations, chats to replay, a body to read, or a flow whose address is computed. */
export default function work(task: readonly AdvanceTask[] | AsideTask): TaskResult[] | string {
  if ("body" in task) return readBody(task.body);
  if ("addressed" in task) return canonicalHash(JSON.parse(task.addressed)).toString("hex");
  if ("conversations" in task)
    return JSON.stringify(prove(tools, JSON.parse(task.flow), JSON.parse(task.conversations)));
  return "page" in task ? replay(task) : advance(task);
}

function replay({ page, steps }: ReplayTask): string {
  const begun = performance.now();
  const chats: Omit<ReplayPage, "steps"> = JSON.parse(page);
  return JSON.stringify(replayPage(tools, { ...chats, steps }, () => performance.now() - begun > replaySliceMs));
}

/** Runs steps one after the other. After a slow one it returns the rest, which would wait for the next slow one, too. */
function advance(tasks: readonly AdvanceTask[]): TaskResult[] {
  const begun = busyMs();
  const results: TaskResult[] = [];
  for (const task of tasks) {
    const before = busyMs();
    const answer = runTask(tools, task, kind === "shared" ? createMeter(sharedQuota) : undefined);
    const after = busyMs();
    results.push({ answer, busyMs: after - before });
    if (after - begun > sliceMs) break;
  }
  return results;
}

/** This thread's own time: by the wall clock, a busy machine would make a step look slow. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
