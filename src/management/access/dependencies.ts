import type { OutgoingDependencies } from "../../effects/dependencies.ts";
import type { PlatformDependencies } from "../../platform/dependencies.ts";
import type { PageWords } from "./page-words.ts";

/**
 * The dependencies of management's use cases. A folder whose use cases need more dependencies defines them in its own
 * `dependencies.ts`.
 */
export type ManagementDependencies = PlatformDependencies &
  OutgoingDependencies & {
    /** Signs and verifies the words that identify sandboxed chat pages. */
    readonly pageWords: PageWords;
    readonly threads: BodyThreads;
  };

/** Reads large bodies and hashes large flows on a separate thread (`chat/threads/threads.ts`). */
export type BodyThreads = {
  readBody(body: Uint8Array<ArrayBuffer>, caller: string): Promise<string>;
  addressOf(flow: string, caller: string): Promise<Buffer>;
};
