import type { OutgoingDependencies } from "../../effects/dependencies.ts";
import type { PlatformDependencies } from "../../platform/dependencies.ts";
import type { PageWords } from "./page-words.ts";

/** The dependencies of management's use cases. Nouns that need more define them in a `dependencies.ts` of their own. */
export type ManagementDependencies = PlatformDependencies &
  OutgoingDependencies & {
    /** Signs and reads the words by which chat pages in a sandbox identify themselves. */
    readonly pageWords: PageWords;
    readonly threads: BodyThreads;
  };

/** Reads large bodies on a separate thread (`chat/threads/threads.ts`). */
export type BodyThreads = {
  readBody(body: Uint8Array<ArrayBuffer>, caller: string): Promise<string>;
  addressOf(flow: string, caller: string): Promise<Buffer>;
};
