import { isJsonObject, type JsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { limits } from "../../limits/index.ts";
import type { fetchForLibraries } from "../safe-fetch/fetch-for-libraries.ts";
import { type ModelLanguage, type Noticed, noticedIn, withoutRefusal, wordsIn } from "./model-words.ts";

/**
 * Reads the text of a model's answer without the library, which would take 60 µs per event. The library handles all
 * other events.
 */
export type FastPath = {
  /** Called when the library has forwarded this text. */
  heard(words: string): void;
  /** Reads the text of an event. Returns false if the library must read the event. */
  takes(words: string): boolean;
  /** Called when an event contains more than text and is left to the library. */
  leaves(): void;
  /** Forwards the text that was read. */
  give(): void;
  /** Returns how long text may be delayed. The first text is not delayed. */
  holdMs(): number;
};

/** The maximum delay in ms. Twenty updates per second are sufficient for a reader. */
const holdMs = 50;

/**
 * Decides which text of an answer bypasses the library. The first text and the text after an event with other content
 * always go through the library, so that the library knows how an answer starts, continues and ends. No text bypasses
 * the library while the library may still hold earlier text. The library waits only for its input, so it forwards its
 * input within the same turn of the event loop.
 *
 *     closed ─ the library has forwarded all its text ─→ opening
 *     opening ─ the next turn of the event loop ───────→ open: text bypasses the library
 *     opening ─ more text arrives ─────────────────────→ closed: this text goes to the library
 *     opening, open ─ an event with other content ─────→ closed: the text after it goes to the library
 */
export function createFastPath(onWords: (words: string) => void): FastPath {
  let isOpen = false;
  let isGiven = false;
  /** The number of events left to the library, and the number of characters that the library has yet to forward. */
  let turns = 0;
  let owed = 0;
  let words = "";
  const close = (): void => {
    isOpen = false;
    turns++;
  };
  return {
    heard({ length }) {
      isGiven ||= length > 0;
      owed = Math.max(0, owed - length);
      if (owed !== 0) return;
      const turn = turns;
      setImmediate(() => {
        isOpen ||= turn === turns;
      });
    },
    takes(more) {
      if (isOpen) words += more;
      else {
        close();
        owed += more.length;
      }
      return isOpen;
    },
    leaves: close,
    give() {
      if (words !== "") onWords(words);
      words = "";
    },
    holdMs: () => (isGiven ? holdMs : 0),
  };
}

type Fetch = ReturnType<typeof fetchForLibraries>;

/** Wraps `fetch` so that text in event streams can bypass the library. */
export function fetchPast(call: Fetch, reading: Pick<Reading, "language" | "path" | "notice">): Fetch {
  return async (input, init) => {
    const response = await call(input, init);
    const { body, headers, status } = response;
    if (!response.ok || body === null || !headers.get("content-type")?.includes("text/event-stream")) return response;
    return new Response(eventsForLibrary(body, reading), { status, headers });
  };
}

export type Reading = {
  readonly language: ModelLanguage;
  /** If absent, the library reads the whole response. */
  readonly path?: FastPath | undefined;
  /** Called with the content of events that the library drops. */
  notice(noticed: Noticed): void;
  /** Returns the replacement for an event, or undefined to keep the event. If absent, no event is replaced. */
  right?(event: JsonObject): JsonObject | undefined;
  /** Returns text to append after the last event. */
  end?(): string;
};

/** A line of an event, with its data as parsed. `isChanged`: whether the line must be written again from the data. */
type Line = { readonly line: string; readonly event?: JsonObject; readonly isChanged?: boolean };

/** Converts an event stream to the stream that the library reads. */
export function eventsForLibrary(
  body: ReadableStream<Uint8Array>,
  { language, path, notice, right, end }: Reading,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let rest = "";

  const read = (line: string): Line => {
    const [, data] = dataLine.exec(line) ?? [];
    const parsed = data === undefined ? undefined : parseJsonOr(data, undefined);
    if (!isJsonObject(parsed)) return { line };
    const event = right ? right(parsed) : parsed;
    return event ? { line, event, isChanged: right !== undefined } : { line };
  };
  const noticed = (one: Line): Line => {
    if (!one.event) return one;
    notice(noticedIn[language](one.event));
    const event = withoutRefusal(one.event);
    return event === one.event ? one : { ...one, event, isChanged: true };
  };
  /** Returns the part of an event that is left to the library. */
  const leftOf = (lines: string): string => {
    const all = lines.split("\n").map(read);
    const event = all.every(({ line }, index) => index === all.length - 1 || nameLine.test(line)) && all.at(-1)?.event;
    const words = event ? wordsIn[language](event) : undefined;
    if (words !== undefined && path?.takes(words)) return "";
    if (words === undefined) path?.leaves();
    const left = words === undefined ? all.map(noticed) : all;
    return `${left.map((one) => (one.isChanged ? `data: ${JSON.stringify(one.event)}` : one.line)).join("\n")}\n\n`;
  };
  /**
   * Returns the part of the received bytes that is left to the library. An incomplete event is buffered until its end
   * arrives, unless the end cannot be found or is too far away.
   */
  const leftOfPiece = (piece: Uint8Array): string => {
    const text = withLineFeeds(`${rest}${decoder.decode(piece, { stream: true })}`);
    const events = text.split("\n\n");
    rest = events.pop() ?? "";
    const left = events.map(leftOf).join("");
    if (rest.length <= limits.streams.lineBytes && !strayEnd.test(rest)) return left;
    // The end of this event is unknown or too far away to wait for it.
    path?.leaves();
    const all = left + rest;
    rest = "";
    return all;
  };
  /**
   * Returns the rest of the stream. If events are replaced, the last line is read even without a line break, because
   * some servers omit the line break.
   */
  const leftAtEnd = (): string => {
    const text = `${rest}${decoder.decode()}`;
    return `${text !== "" && right ? leftOf(text) : text}${end?.() ?? ""}`;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (let left = ""; left === ""; ) {
          const { done, value } = await reader.read();
          left = done ? leftAtEnd() : leftOfPiece(value);
          path?.give();
          if (left !== "") controller.enqueue(encoder.encode(left));
          if (done) return controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

const dataLine = /^data: ?(\{[^\n]*)$/;
const nameLine = /^(?:event|id):/;
/**
 * Matches a carriage return that is not followed by a line feed. At the end of the text, a line feed may still follow.
 */
const strayEnd = /\r(?!$)/;
