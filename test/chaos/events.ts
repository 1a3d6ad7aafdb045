import type { Arrival } from "../support/event-ledger.ts";
import type { EventReceiver } from "../support/event-receiver.ts";
import { waitFor } from "../support/wait.ts";
import type { Scenario } from "./flow.ts";
import type { Talked } from "./visitors.ts";

const arrivedWithinMs = 240_000;

/** Returns the number of events of a chat: one for its start, one for each answer, and one for its end. */
export function eventsOfChat({ replies }: Scenario): number {
  return replies.length + 2;
}

/** Waits for the events of all conversations. Returns the events and one sentence for each broken promise. */
export async function brokenEvents(
  events: EventReceiver,
  scenario: Scenario,
  talked: readonly Talked[],
): Promise<{ arrivals: readonly Arrival[]; repeats: number; problems: string[] }> {
  const expected = talked.length * eventsOfChat(scenario);
  const missing = await waitFor(async () => (await events.count()) >= expected, {
    withinMs: arrivedWithinMs,
    what: "all events",
  }).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  const [report, chats] = [await events.report(), await events.chats()];
  const arrivals = [...chats.values()].flat();
  const known = new Set(talked.map(({ sessionId }) => sessionId));
  const problems = [
    ...missing,
    ...report.problems,
    ...(report.unverified > 0 ? [`${report.unverified} requests had no right signature`] : []),
    ...talked.flatMap(({ ticket, sessionId }) => chatProblems(scenario, ticket, chats.get(sessionId) ?? [])),
    ...[...chats.keys()].filter((id) => !known.has(id)).map((id) => `events came of ${id}, which nobody was told of`),
    ...repeatedIds(arrivals),
  ];
  return { arrivals, repeats: report.repeats, problems };
}

function chatProblems({ replies }: Scenario, ticket: string, arrivals: readonly Arrival[]): string[] {
  const places = arrivals.map(({ place }) => place);
  const expectedPlaces = Array.from({ length: replies.length + 2 }, (_, place) => place);
  const contents = arrivals.flatMap(({ content }) => content ?? []);
  return [
    ...(Bun.deepEquals(places, expectedPlaces) ? [] : [`events of ${ticket}: ${places.join(", ")}`]),
    ...(Bun.deepEquals(contents, replies) ? [] : [`answers of ${ticket} in events: ${contents.join(", ")}`]),
  ];
}

function repeatedIds(arrivals: readonly Arrival[]): string[] {
  const ids = new Set(arrivals.map(({ id }) => id));
  return ids.size === arrivals.length ? [] : [`${arrivals.length} events have only ${ids.size} ids`];
}
