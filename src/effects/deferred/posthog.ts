import { posthog as kind } from "../../core/credentials/posthog.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { toUuid } from "../../platform/ids.ts";
import { defineEventService } from "./event-service.ts";

/** PostHog's capture API, which merges events with the same `uuid`. */
export const posthog = defineEventService(kind, {
  path: "/batch/",
  eventOf(content, id) {
    const given = isJsonObject(content["properties"]) ? content["properties"] : {};
    const uuid = toUuid(id).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    // Events without a known user get different ids so that they are not assigned to the same person.
    return { ...content, properties: { distinct_id: uuid, ...given }, uuid };
  },
  bodyOf: (events) => ({ batch: events }),
  isAnswer: isJsonObject,
});
