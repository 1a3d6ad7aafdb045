import { isJsonObject, type JsonObject } from "../../src/core/interpreter/flow.ts";
import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

export type FakeSegment = FakeProvider & {
  /** The accepted events. Each `messageId` is accepted once. */
  readonly events: readonly JsonObject[];
};

/**
 * Starts Segment's HTTP API, based on https://segment.com/docs/connections/sources/catalog/libraries/server/http-api. A
 * batch has at most 500 KB. Each event has at most 32 KB and a user. The write key is the user name of Basic
 * authentication.
 */
export async function startFakeSegment({ port = 0 } = {}): Promise<FakeSegment> {
  const events: JsonObject[] = [];
  const fake = await startFake({
    name: "segment",
    port,
    refusal: (status, { headers }) => ({
      success: false,
      message: `Refused with ${status}: ${headers["authorization"]}`,
    }),
    answer: (asked) => answer(asked, events),
  });
  return { ...fake, events };
}

function answer({ method, path, headers, text, json }: Asked, events: JsonObject[]): Answer {
  if (method !== "POST" || path !== "/v1/batch") return { status: 404, json: { message: "Not found" } };
  const [, basic = ""] = /^Basic (.+)$/.exec(headers["authorization"] ?? "") ?? [];
  const key = Buffer.from(basic, "base64").toString();
  if (!/^[^:]+:$/.test(key) || key.startsWith("wrong")) return { status: 401, json: { message: "Invalid write key" } };
  const batch = Array.isArray(json["batch"]) ? json["batch"].filter(isJsonObject) : [];
  const isTooLarge = Buffer.byteLength(text) > 512_000 || batch.some((event) => JSON.stringify(event).length > 32_768);
  if (isTooLarge) return { status: 400, json: { success: false, message: "Exceeded payload limit" } };
  const isLacking = batch.some(({ userId, anonymousId }) => userId === undefined && anonymousId === undefined);
  if (batch.length === 0 || isLacking) return { status: 400, json: { success: false, message: "no_user_anon_id" } };
  const seen = new Set(events.map(({ messageId }) => messageId));
  events.push(...batch.filter(({ messageId }) => !seen.has(messageId)));
  return { json: { success: true } };
}
