import { segment as kind } from "../../core/credentials/segment.ts";
import { valueAt } from "../../core/interpreter/flow.ts";
import { defineEventService } from "./event-service.ts";

/** Segment's HTTP tracking API, which drops an event whose `messageId` was already received within the last day. */
export const segment = defineEventService(kind, {
  path: "/v1/batch",
  eventOf: (content, id) => ({ ...content, messageId: id }),
  bodyOf: (events) => ({ batch: events }),
  isAnswer: (answer) => valueAt(answer, "success") === true,
});
