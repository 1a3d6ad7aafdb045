import { isJsonObject, type JsonObject, textAt } from "../../src/core/interpreter/flow.ts";
import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

export type FakePosthog = FakeProvider & {
  /** The accepted events. Each `uuid` is accepted once. */
  readonly events: readonly JsonObject[];
};

/**
 * Starts PostHog's capture API, based on https://posthog.com/docs/api/capture. A batch contains the project's key in
 * its body. Each event has a name and the distinct id of a person, and `uuid` is a UUID.
 */
export async function startFakePosthog({ port = 0 } = {}): Promise<FakePosthog> {
  const events: JsonObject[] = [];
  const fake = await startFake({
    name: "posthog",
    port,
    refusal: (status, { json }) => ({ type: "error", detail: `Refused with ${status}: ${String(json["api_key"])}` }),
    answer: (asked) => answer(asked, events),
  });
  return { ...fake, events };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function answer({ method, path, json }: Asked, events: JsonObject[]): Answer {
  if (method !== "POST" || path !== "/batch/") return { status: 404, json: { detail: "Not found" } };
  const { api_key: key, batch } = json;
  if (typeof key !== "string" || key === "" || key.startsWith("wrong")) {
    return { status: 401, json: { type: "authentication_error", detail: "Project API key invalid" } };
  }
  const given = Array.isArray(batch) ? batch.filter(isJsonObject) : [];
  const isWhole = (event: JsonObject) =>
    textAt(event, "event") && (textAt(event, "distinct_id") ?? textAt(event, "properties", "distinct_id"));
  if (given.length === 0 || !given.every(isWhole))
    return { status: 400, json: { detail: "event submitted without a distinct_id" } };
  if (!given.every((event) => uuid.test(textAt(event, "uuid") ?? "")))
    return { status: 400, json: { detail: "invalid uuid" } };
  const seen = new Set(events.map((event) => event["uuid"]));
  events.push(...given.filter((event) => !seen.has(event["uuid"])));
  return { json: { status: "Ok" } };
}
