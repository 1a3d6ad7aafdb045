import { createThreads, type Threads } from "../chat/threads/threads.ts";
import type { AnonymousLane } from "../chat/threads/turns.ts";
import type { Config } from "../config.ts";
import { blocks } from "../core/blocks/index.ts";
import type { Share } from "../platform/processes/shares.ts";
import { createSandbox } from "../platform/sandbox/index.ts";
import type { Running } from "./node.ts";

/**
 * Opens the threads for steps. A thread starts when it is needed. If every step needs a thread, the code of a thread is
 * loaded while the database is opened.
 */
export function openThreads(
  { stop, ends }: Running,
  { config, share, anonymousPreviews }: { config: Config; share: Share; anonymousPreviews?: AnonymousLane },
): Threads {
  const threads = createThreads({
    count: share.threads,
    ...(config.INLINE_STEPS && { inline: { blocks, createSandbox } }),
    ...(anonymousPreviews && { anonymousPreviews }),
  });
  if (!config.INLINE_STEPS) threads.ready().catch(() => {});
  ends.defer(() => Promise.race([threads.close(), stop.forced]));
  return threads;
}
