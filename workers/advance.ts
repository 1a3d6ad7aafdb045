import { blocks } from "../src/blocks/index.ts";
import { limits } from "../src/limits.ts";
import { createSandbox } from "../src/sandbox/index.ts";
import type { AdvanceAnswer, AdvanceTask } from "../src/threads/messages.ts";
import { createProgramCache } from "../src/threads/program-cache.ts";
import { think } from "../src/threads/think.ts";

const tools = { blocks, cache: createProgramCache(limits.programCacheBytes), runScript: await createSandbox() };

/**
 * The task of a worker thread: thinks steps through, one after the other. After a slow one the rest goes back unthought,
 * so that it waits for no more than one of them.
 */
export default function advance(tasks: readonly AdvanceTask[]): AdvanceAnswer[] {
  const begun = performance.now();
  const answers: AdvanceAnswer[] = [];
  for (const task of tasks) {
    answers.push(think(tools, task));
    if (performance.now() - begun > limits.threadSliceMs) break;
  }
  return answers;
}
