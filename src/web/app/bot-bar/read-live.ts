import { type Answer, call } from "../api/index.ts";
import type { Live } from "./live-facts.ts";

const counted: readonly string[] = ["group", "block", "item", "event", "variable", "theme", "settings"];

/**
 * Returns the number of differences between the live version and the draft of a published bot, and the bot's canary.
 */
export async function readLive(botId: string): Promise<Live> {
  const path = { botId };
  const [{ differences }, { canary }] = await Promise.all([
    call("GET /api/v1/bots/:botId/compare", { path, query: {} }),
    call("GET /api/v1/bots/:botId/canary", { path }),
  ]);
  return { changes: countOf(differences), canary };
}

type Differences = Answer<"GET /api/v1/bots/:botId/compare">["differences"];

/**
 * Counts changes as an author would. A change of an item counts for its block, and the contents of an added or removed
 * group count as one change.
 */
function countOf(differences: Differences): number {
  const whole = new Set(differences.flatMap(({ is, id }) => (id && (is === "added" || is === "removed") ? [id] : [])));
  const things = differences.flatMap(({ of, id, in: holder, changesMeaning }) => {
    if (!changesMeaning || !counted.includes(of) || (holder !== undefined && whole.has(holder))) return [];
    return [of === "item" ? holder : (id ?? of)];
  });
  return new Set(things).size;
}
