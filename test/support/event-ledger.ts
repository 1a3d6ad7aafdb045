/** An event of a chat in the form in which a receiver got it, once its signature was verified. */
export type Arrival = {
  readonly id: string;
  readonly body: string;
  readonly sessionId: string;
  /** Its place among the events of its chat: the start is 0, then the answers, and last the end. */
  readonly place: number;
  /** The visitor's words, for an answer. */
  readonly content?: string;
  /** By its sender's clock, and by the test's clock. */
  readonly createdAt: number;
  readonly receivedAt: number;
};

/** The events of a receiver, chat by chat, and the broken promises. */
export type Ledger = {
  /** Notes the arrival of an event. Returns whether it is the first. */
  arrived(arrival: Arrival): boolean;
  /** Notes an answer with 200: from now on the next event of its chat may arrive. */
  answered(arrival: Arrival): void;
  /** The bodies that arrived, in their order, by chat. */
  readonly chats: ReadonlyMap<string, readonly Arrival[]>;
  /** Distinct events, and repeated arrivals. */
  counts(): { readonly events: number; readonly repeats: number };
  readonly problems: readonly string[];
};

/**
 * Events of a chat arrive in their order: at the first arrival of an event, all earlier ones have been answered. A
 * repeated event has the same id and the same body.
 */
export function createLedger(): Ledger {
  const chats = new Map<string, Arrival[]>();
  const answeredPlaces = new Map<string, number>();
  const problems: string[] = [];
  let events = 0;
  let repeats = 0;
  return {
    chats,
    problems,
    counts: () => ({ events, repeats }),
    arrived(arrival) {
      const { id, body, sessionId, place } = arrival;
      const known = chats.get(sessionId) ?? [];
      const before = known.find((other) => other.place === place);
      if (before) {
        repeats++;
        if (before.id !== id) problems.push(`event ${place} of ${sessionId} came as ${before.id} and as ${id}`);
        if (before.body !== body) problems.push(`${id} came with two bodies: ${before.body} and ${body}`);
        return false;
      }
      events++;
      const answeredPlace = answeredPlaces.get(sessionId) ?? -1;
      if (place !== answeredPlace + 1)
        problems.push(`event ${place} of ${sessionId} came when those up to ${answeredPlace} had been delivered`);
      known.push(arrival);
      chats.set(sessionId, known);
      return true;
    },
    answered({ sessionId, place }) {
      answeredPlaces.set(sessionId, Math.max(place, answeredPlaces.get(sessionId) ?? -1));
    },
  };
}
