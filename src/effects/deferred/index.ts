import { blinkFeed } from "./blink.ts";
import type { DeferredService } from "./deferred-service.ts";
import { gmailMails } from "./gmail.ts";
import { googleSheetsRows } from "./google-sheets.ts";
import { posthog } from "./posthog.ts";
import { segment } from "./segment.ts";

/** Every service that takes calls after their steps, by the type of its credentials. */
export const deferredServices: ReadonlyMap<string, DeferredService> = new Map(
  [segment, posthog, googleSheetsRows, gmailMails, blinkFeed].map((service) => [service.type, service]),
);
