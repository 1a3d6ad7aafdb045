import { textIn } from "../../core/credentials/kind.ts";
import { valueAt } from "../../core/interpreter/flow.ts";
import { defineEventService } from "./event-service.ts";

/** Segment's HTTP tracking API. It drops a `messageId` that it has seen within the last day. */
export const segment = defineEventService({
  type: "segment",
  name: "Segment",
  url: () => "https://api.segment.io/v1/batch",
  headers: (credentials) => {
    const basic = Buffer.from(`${textIn(credentials, "apiKey") ?? ""}:`).toString("base64");
    return [["Authorization", `Basic ${basic}`]];
  },
  eventOf: (content, id) => ({ ...content, messageId: id }),
  bodyOf: (events) => ({ batch: events }),
  isAccepted: (response) => valueAt(response, "success") === true,
});
