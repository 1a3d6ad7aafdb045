import { posthog as kind } from "../../core/credentials/posthog.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { toUuid } from "../../platform/ids.ts";
import { defineEventService } from "./event-service.ts";

/** PostHog's capture API. Events with one `uuid` are one event. */
export const posthog = defineEventService(kind, {
  path: "/batch/",
  // Events of nobody in particular are not joined to each other.
  eventOf: (content, id) => ({ distinct_id: toUuid(id), ...content, uuid: toUuid(id) }),
  bodyOf: (events) => ({ batch: events }),
  isAnswer: isJsonObject,
});
