import { startFakeAddressSearch } from "./address-search.ts";
import { startFakeBlink } from "./blink.ts";
import { startFakeChatNode } from "./chat-node.ts";
import { startFakeDify } from "./dify.ts";
import { startFakeElevenlabs } from "./elevenlabs.ts";
import type { FakeProvider } from "./kit.ts";
import { startFakeNocodb } from "./nocodb.ts";
import { startFakePosthog } from "./posthog.ts";
import { startFakeSegment } from "./segment.ts";
import { startFakeStripe } from "./stripe.ts";

/** Every fake, one per file. Google is started separately, because it needs an initial spreadsheet. */
export const fakes: readonly ((options: { readonly port: number }) => Promise<FakeProvider>)[] = [
  startFakeAddressSearch,
  startFakeBlink,
  startFakeChatNode,
  startFakeDify,
  startFakeElevenlabs,
  startFakeNocodb,
  startFakeSegment,
  startFakePosthog,
  startFakeStripe,
];
