import { blocks } from "../src/blocks/index.ts";
import { limits } from "../src/limits.ts";
import { createSandbox } from "../src/sandbox/index.ts";
import type { AdvanceAnswer, AdvanceTask } from "../src/threads/messages.ts";
import { createProgramCache } from "../src/threads/program-cache.ts";
import { think } from "../src/threads/think.ts";

const tools = { blocks, cache: createProgramCache(limits.programCacheBytes), runScript: await createSandbox() };

/** The task of a worker thread: thinks one step through. */
export default function advance(task: AdvanceTask): AdvanceAnswer {
  return think(tools, task);
}
