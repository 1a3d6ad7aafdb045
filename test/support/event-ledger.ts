/** An event of a chat as received, after its signature was verified. */
export type Arrival = {
  readonly id: string;
  readonly body: string;
  readonly sessionId: string;
  /** Its index among the events of its chat: 0 for the start, then the answers, and the end. */
  readonly place: number;
  /** The visitor's text, for an answer. */
  readonly content?: string;
  /** Times by the sender's clock and by the test's clock. */
  readonly createdAt: number;
  readonly receivedAt: number;
};

/** The received events of each chat, and the violations of the delivery guarantees. */
export type Ledger = {
  /** Records the arrival of an event. Returns whether it is the first arrival. */
  arrived(arrival: Arrival): boolean;
  /** Records a response with 200. From now on, the next event of the chat may arrive. */
  answered(arrival: Arrival): void;
  /** The first arrivals of each chat's events, in order. */
  readonly chats: ReadonlyMap<string, readonly Arrival[]>;
  /** Returns the number of distinct events and of repeated arrivals. */
  counts(): { readonly events: number; readonly repeats: number };
  readonly problems: readonly string[];
};

/**
 * Creates a ledger that checks two guarantees. Events of a chat arrive in order: at the first arrival of an event, all
 * earlier events have been answered. A repeated event has the same id and the same body.
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
