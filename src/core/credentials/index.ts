import { addressSearch } from "./address-search/address-search.ts";
import { blink } from "./blink.ts";
import { chatNode } from "./chat-node.ts";
import { difyAi } from "./dify-ai.ts";
import { elevenlabs } from "./elevenlabs.ts";
import { gmail, googleSheets } from "./google.ts";
import { httpProxy } from "./http-proxy.ts";
import type { CredentialsKind } from "./kind.ts";
import { nocodb } from "./nocodb.ts";
import { posthog } from "./posthog.ts";
import { providers } from "./providers.ts";
import { segment } from "./segment.ts";
import { smtp } from "./smtp.ts";
import { stripe } from "./stripe.ts";
import { zendesk } from "./zendesk.ts";

/** Returns the server names that PROVIDER_URLS accepts, in the order of the list of credentials. */
export function serverNames(): readonly string[] {
  const names = [...credentialsKinds.values()].map(({ service, serverName }) => service?.name ?? serverName);
  return [...new Set(names)].filter((name) => name !== undefined);
}

/** All kinds of credentials by type, in display order. */
export const credentialsKinds: ReadonlyMap<string, CredentialsKind> = new Map(
  [
    ...providers,
    ...[smtp, googleSheets, gmail, stripe, nocodb],
    ...[difyAi, chatNode, elevenlabs, segment, posthog, zendesk, blink, addressSearch, httpProxy],
  ].map((kind) => [kind.type, kind]),
);
