import { createThreads as create, type Threads } from "../../src/chat/threads/threads.ts";
import { blocks } from "../../src/core/blocks/index.ts";
import { createSandbox } from "../../src/platform/sandbox/index.ts";
import { bundledThread } from "./programs.ts";

export type { Threads };

/**
 * Creates threads like those of the service. `INLINE_STEPS=off npm test` runs the whole suite with every step on a
 * thread.
 */
export function createThreads(options: Parameters<typeof create>[0]): Threads {
  const file = bundledThread();
  return create({
    ...(process.env["INLINE_STEPS"] !== "off" && { inline: { blocks, createSandbox } }),
    ...(file && { file }),
    ...options,
  });
}
