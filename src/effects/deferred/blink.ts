import { blink as kind } from "../../core/credentials/blink.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { CallEnd, DeferredService, DeferredWorld, WaitingCall } from "./deferred-service.ts";
import { failedEnd, isSuccess, postToService } from "./post-to-service.ts";

/**
 * Sends events to Blink's feed one by one. The `external_id` of an event is the id of its call. Blink can find events
 * by this id but does not reject duplicates.
 */
export const blinkFeed: DeferredService = {
  type: kind.type,
  context: `While sending an event to ${kind.name}`,
  async deliver(calls, world) {
    const ends: CallEnd[] = [];
    for (const call of calls) ends.push(await deliverOne(call, world));
    return ends;
  },
};

async function deliverOne({ id, content }: WaitingCall, world: DeferredWorld): Promise<CallEnd> {
  const body = { ...(isJsonObject(content) && content), external_id: id };
  const report = await postToService(kind, world, { path: "/v2/feed_events", body });
  const isAccepted = "status" in report && isSuccess(report) && isJsonObject(parseJsonOr(report.text, undefined));
  return isAccepted ? { kind: "sent", description: `Event sent to ${kind.name}` } : failedEnd(kind.name, report);
}
