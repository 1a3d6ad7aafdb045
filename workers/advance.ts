import { workerData } from "node:worker_threads";
import { blocks } from "../src/blocks/index.ts";
import { createSandbox } from "../src/sandbox/index.ts";
import { giveWay } from "../src/threads/give-way.ts";
import { type AdvanceTask, runawayThread, type Thought } from "../src/threads/messages.ts";
import { createProgramCache, programCacheBytes } from "../src/threads/program-cache.ts";
import { think } from "../src/threads/think.ts";

/** A thread that has been busy this long gives the rest of its batch back. */
const sliceMs = 10;

// Steps that take more than their share wait for the others.
if (workerData === runawayThread) giveWay();

const tools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript: await createSandbox() };

/**
 * The task of a worker thread: thinks steps through, one after the other. After a slow one the rest goes back unthought,
 * so that it waits for no more than one of them.
 */
export default function advance(tasks: readonly AdvanceTask[]): Thought[] {
  const begun = busyMs();
  const thoughts: Thought[] = [];
  for (const task of tasks) {
    const before = busyMs();
    const answer = think(tools, task);
    const after = busyMs();
    thoughts.push({ answer, busyMs: after - before });
    if (after - begun > sliceMs) break;
  }
  return thoughts;
}

/** This thread's own time: on a busy machine the clock would blame a step for what others do. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
