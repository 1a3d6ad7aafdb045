import { blinkFeed } from "./blink.ts";
import type { DeferredService } from "./deferred-service.ts";
import { gmailMails } from "./gmail.ts";
import { googleSheetsRows } from "./google-sheets.ts";
import { posthog } from "./posthog.ts";
import { segment } from "./segment.ts";

/** The deferred services by credentials type. */
export const deferredServices: ReadonlyMap<string, DeferredService> = new Map(
  [segment, posthog, googleSheetsRows, gmailMails, blinkFeed].map((service) => [service.type, service]),
);
