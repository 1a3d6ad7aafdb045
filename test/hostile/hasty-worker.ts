import { blocks } from "../../src/core/blocks/index.ts";
import type { RunScript } from "../../src/core/interpreter/language/script.ts";
import type { AdvanceTask, TaskResult } from "../../src/core/tasks/messages.ts";
import { createProgramCache, programCacheBytes } from "../../src/core/tasks/program-cache.ts";
import { runTask } from "../../src/core/tasks/run-task.ts";
import { createSandbox } from "../../src/platform/sandbox/index.ts";

// A worker that runs steps like the service, but gives each script a four-hundredth of the usual budget.
const ticks = 1_000_000;
const sandbox = await createSandbox();
const runScript: RunScript = (request) => sandbox({ ...request, maxTicks: Math.min(request.maxTicks, ticks) });
const tools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript };

export default function advance(tasks: readonly AdvanceTask[]): TaskResult[] {
  return tasks.map((task) => ({ answer: runTask(tools, task), busyMs: 0 }));
}
