import { isJsonObject, type JsonObject } from "../../src/core/interpreter/flow.ts";
import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

export type FakeBlink = FakeProvider & {
  /** The events of the feed in order. Duplicate external ids are accepted. */
  readonly events: readonly JsonObject[];
};

const users: readonly JsonObject[] = [
  { id: "u-1", employee_id: "1007", email: "ana@example.com", first_name: "Ana", job_title: "Nurse" },
  { id: "u-2", employee_id: "1008", email: "bob@example.com", first_name: "Bob", job_title: null },
];

/**
 * Starts Blink's API, based on public pages: https://developer.joinblink.com/reference/send-feed-event documents the
 * members of an event, and /docs/cardkit those of its card. These pages document neither paths nor user filters, so
 * this fake ignores filters.
 */
export async function startFakeBlink({ port = 0 } = {}): Promise<FakeBlink> {
  const events: JsonObject[] = [];
  const fake = await startFake({ name: "blink", port, answer: (asked) => answer(asked, events) });
  return { ...fake, events };
}

function answer({ method, path, headers, json }: Asked, events: JsonObject[]): Answer {
  if (!/^Bearer (?!wrong)\S+$/.test(headers["authorization"] ?? "")) {
    return { status: 401, json: { message: "You couldn't be authenticated" } };
  }
  if (method === "GET" && path === "/v2/users") return { json: { data: users } };
  if (method !== "POST" || path !== "/v2/feed_events") return { status: 404, json: { message: "Not found" } };
  const problem = problemOf(json);
  if (problem !== undefined) return { status: 400, json: { message: problem } };
  events.push(json);
  return { json: { data: { event_id: `e-${events.length}` } } };
}

const needed: Readonly<Record<string, readonly string[]>> = {
  header: ["title"],
  text: ["value"],
  labelled_text: ["label", "value"],
  image: ["image_url"],
  link: ["title", "url"],
  buttons: ["data"],
};

function problemOf({ category, body, user_ids: users = [], group_ids: groups = [] }: JsonObject): string | undefined {
  if (typeof category !== "string" || category === "") return "category is required";
  if (![users, groups].some((ids) => Array.isArray(ids) && ids.length > 0)) return "user_ids or group_ids is required";
  if (typeof body !== "string") return "body is required";
  const { sections } = Object(JSON.parse(body));
  if (!Array.isArray(sections) || sections.length === 0) return "A card has sections";
  const isWhole = (section: unknown): boolean =>
    isJsonObject(section) && (needed[String(section["type"])]?.every((member) => member in section) ?? false);
  return sections.every(isWhole) ? undefined : "A section is not of CardKit";
}
