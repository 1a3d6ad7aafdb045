import { eventsType } from "../../src/platform/http/event-stream.ts";

/** An event as a client reads it. */
export type ReadEvent = { readonly event: string; readonly id: string | undefined; readonly data: unknown };

/** An event stream that is read while it arrives. */
export type Events = {
  readonly response: Response;
  /** Returns the next event, or undefined at the end. */
  next(): Promise<ReadEvent | undefined>;
  /** Returns the following events up to the first match or the end. */
  until(fits: (event: ReadEvent) => boolean): Promise<readonly ReadEvent[]>;
  rest(): Promise<readonly ReadEvent[]>;
  close(): void;
};

/** Sends a request that accepts events, as a POST if there is a body. `key` is its idempotency key. */
export async function openEvents(
  url: string,
  {
    body,
    key,
    after,
    headers,
  }: { body?: unknown; key?: string; after?: string | undefined; headers?: Record<string, string> },
): Promise<Events> {
  const closing = new AbortController();
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    signal: closing.signal,
    headers: {
      Accept: `application/json, ${eventsType}`,
      "Content-Type": "application/json",
      ...(key !== undefined && { "Idempotency-Key": key }),
      ...(after !== undefined && { "Last-Event-ID": after }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const events = readEvents(response.body ?? new ReadableStream());
  const next = async () => (await events.next()).value;
  const until = async (fits: (event: ReadEvent) => boolean) => {
    const read: ReadEvent[] = [];
    for (let event = await next(); event; event = await next()) {
      read.push(event);
      if (fits(event)) break;
    }
    return read;
  };
  return { response, next, until, rest: () => until(() => false), close: () => closing.abort() };
}

/** Returns the concatenated text of all `delta` events. */
export function textOf(events: readonly ReadEvent[]): string {
  return events.map(({ event, data }) => (event === "delta" ? String(Object(data)["text"]) : "")).join("");
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ReadEvent, undefined> {
  const decoder = new TextDecoder();
  let waiting = "";
  for await (const chunk of body) {
    waiting += decoder.decode(chunk, { stream: true });
    for (let end = waiting.indexOf("\n\n"); end >= 0; end = waiting.indexOf("\n\n")) {
      const event = eventIn(waiting.slice(0, end));
      waiting = waiting.slice(end + 2);
      if (event) yield event;
    }
  }
  return undefined;
}

/** Parses an event. Returns undefined for a comment. */
function eventIn(text: string): ReadEvent | undefined {
  const fields = new Map(text.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]));
  const event = fields.get("event");
  return event === undefined
    ? undefined
    : { event, id: fields.get("id"), data: JSON.parse(fields.get("data") ?? "null") };
}
