import type { SheetEffect, SheetReport } from "../../../src/core/interpreter/program/google.ts";
import { createGoogle } from "../../../src/effects/google/google.ts";
import { createProviderMetrics } from "../../../src/effects/providers/provider-metrics.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { performSheet } from "../../../src/effects/sheet.ts";
import { serviceAccount } from "../../fake-providers/google/accounts.ts";
import { startFakeGoogle } from "../../fake-providers/google/server.ts";

/** Creates a fake Google, and effects on its sheets, with a clock that the test controls. */
export async function createGoogleWorld(data: Readonly<Record<string, string>> = serviceAccount) {
  const clock = createSkippingClock();
  const fake = await startFakeGoogle({ now: clock.date });
  const google = createGoogle({ clock, client: undefined });
  const providers = { urls: new Map([[fake.name, fake.origin]]), metrics: createProviderMetrics() };
  const safeFetch = createSafeFetch({ providerServers: new Set([fake.origin]) });
  const context = {
    google,
    safeFetch,
    providers,
    hops: noHops,
    timeLeftMs: 240_000,
    credentials: { find: async () => data, noteUse: async () => undefined },
  };
  const place = { kind: "sheet", credentialsId: "ours", sheetId: "0", timeoutMs: 60_000 } as const;
  return {
    fake,
    clock,
    google,
    context,
    /** Creates a spreadsheet that is shared with the service account. */
    makeSheet: (rows: readonly (readonly string[])[]) =>
      fake.sheets.make({ rows, sharedWith: [serviceAccount.clientEmail] }),
    perform: (
      spreadsheetId: string,
      act: SheetEffect["act"],
      more: { isResumed?: boolean; timeoutMs?: number } = {},
    ): Promise<SheetReport> => {
      const { isResumed = false, ...rest } = more;
      return performSheet({ ...place, spreadsheetId, act, ...rest }, { ...context, isResumed });
    },
    close: fake.close,
  };
}

/** Creates a clock whose timers fire immediately and advance the clock by their time. */
export function createSkippingClock() {
  let now = 0;
  const waited: number[] = [];
  return {
    waited,
    now: () => now,
    date: () => Date.now() + now,
    skip(ms: number) {
      now += ms;
    },
    setImmediate: (callback: () => void) => void setImmediate(callback),
    startTimer(ms: number, callback: () => void) {
      let isStopped = false;
      setImmediate(() => {
        if (isStopped) return;
        now += ms;
        waited.push(ms);
        callback();
      });
      return () => {
        isStopped = true;
      };
    },
  };
}
