import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { createKeyedLimiter, type KeyedLimiter } from "../../platform/concurrency/limiter.ts";
import { FailedCall } from "../safe-fetch/safe-fetch.ts";
import { type AccessTokens, createAccessTokens } from "./access-tokens.ts";
import type { GoogleClient } from "./google-account.ts";
import { createTabs, type Tabs } from "./tabs.ts";

/** The caches, limits and settings for Google that a process shares. */
export type Google = {
  readonly tokens: AccessTokens;
  /** Limits concurrent calls per credentials. */
  readonly calls: KeyedLimiter;
  readonly tabs: Tabs;
  /** The operator's OAuth client, which is used for credentials without a client of their own. */
  readonly client?: GoogleClient;
  readonly clock: Clock;
};

export function createGoogle({
  clock,
  client,
}: {
  readonly clock: Clock;
  readonly client: GoogleClient | undefined;
}): Google {
  return {
    tokens: createAccessTokens({ clock }),
    calls: createKeyedLimiter({
      width: limits.sheets.callsAtOnce,
      maxWaiting: limits.sheets.waiting,
      maxWaitMs: limits.sheets.mostSeconds * 1_000,
      refuse: () => new FailedCall("timeout", "Too many calls with these credentials are waiting"),
    }),
    tabs: createTabs({ clock }),
    ...(client && { client }),
    clock,
  };
}
