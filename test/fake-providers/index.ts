import { startFakeChatNode } from "./chat-node.ts";
import { startFakeDify } from "./dify.ts";
import { startFakeElevenlabs } from "./elevenlabs.ts";
import { startFakeGoogle } from "./google/server.ts";
import type { FakeProvider } from "./kit.ts";
import { startFakeNocodb } from "./nocodb.ts";
import { startFakePosthog } from "./posthog.ts";
import { startFakeSegment } from "./segment.ts";
import { startFakeStripe } from "./stripe.ts";

/** Every fake: one file each. */
export const fakes: readonly ((options: { readonly port: number }) => Promise<FakeProvider>)[] = [
  startFakeChatNode,
  startFakeDify,
  startFakeElevenlabs,
  startFakeNocodb,
  startFakeSegment,
  startFakeGoogle,
  startFakePosthog,
  startFakeStripe,
];
