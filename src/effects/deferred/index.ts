import type { DeferredService } from "./deferred-service.ts";
import { segment } from "./segment.ts";

/** Every service that takes calls after their steps, by the type of its credentials. */
export const deferredServices: ReadonlyMap<string, DeferredService> = new Map(
  [segment].map((service) => [service.type, service]),
);
