import { isJsonObject, type JsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { limits } from "../../limits/index.ts";
import type { fetchForLibraries } from "../safe-fetch/fetch-for-libraries.ts";
import { type ModelLanguage, type Noticed, noticedIn, withoutRefusal, wordsIn } from "./model-words.ts";

/**
 * Reads the words of a model's answer without the library, which costs 60 µs an event; the library handles everything
 * else.
 */
export type FastPath = {
  /** The library has passed on these words from the part that it was given. */
  heard(words: string): void;
  /** Reads the words of an event; false if the library has to read them. */
  takes(words: string): boolean;
  /** An event that contains more than words is left to the library. */
  leaves(): void;
  /** Passes on the words that were read. */
  give(): void;
  /** How long words may be held back: the first words are not held back. */
  holdMs(): number;
};

/** Twenty redraws a second are enough for a reader. */
const holdMs = 50;

/**
 * Decides which words of an answer bypass the library. The first words never do, nor those after an event with other
 * content, so that the library sees how an answer begins, continues and ends. None do while the library may hold back
 * earlier words: it passes on its input within the same turn of the event loop, since it waits for nothing but its
 * input.
 *
 *     closed ─ the library gives the last of the words that it was left ─→ opening
 *     opening ─ the next turn of the event loop ─────────────────────────→ open: words are read here
 *     opening, open ─ something else comes ──────────────────────────────→ closed: with the words behind it left to the library
 */
export function createFastPath(onWords: (words: string) => void): FastPath {
  let isOpen = false;
  let isGiven = false;
  /** How many times a part was left to the library, and how many characters of words the library has yet to pass on. */
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

/** Calls whose responses bypass the library if they are streams of events. */
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
  /** Absent: the library reads the whole response. */
  readonly path?: FastPath | undefined;
  /** Is called with the content of events that the library drops. */
  notice(noticed: Noticed): void;
  /** The replacement for an event; undefined: the event stays. Absent: no event is replaced. */
  right?(event: JsonObject): JsonObject | undefined;
  /** The text after the last event. */
  end?(): string;
};

/** `isChanged`: the event differs from the line. */
type Line = { readonly line: string; readonly event?: JsonObject; readonly isChanged?: boolean };

/** A stream of events, as the library will read it. */
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
  /** The part of an event that is left to the library. */
  const leftOf = (lines: string): string => {
    const all = lines.split("\n").map(read);
    const event = all.every(({ line }, index) => index === all.length - 1 || nameLine.test(line)) && all.at(-1)?.event;
    const words = event ? wordsIn[language](event) : undefined;
    if (words !== undefined && path?.takes(words)) return "";
    if (words === undefined) path?.leaves();
    const left = words === undefined ? all.map(noticed) : all;
    return `${left.map((one) => (one.isChanged ? `data: ${JSON.stringify(one.event)}` : one.line)).join("\n")}\n\n`;
  };
  /** The part of these bytes that is left to the library; an incomplete event waits for its end. */
  const leftOfPiece = (piece: Uint8Array): string => {
    const text = withLineFeeds(`${rest}${decoder.decode(piece, { stream: true })}`);
    const events = text.split("\n\n");
    rest = events.pop() ?? "";
    const left = events.map(leftOf).join("");
    if (rest.length <= limits.streams.lineBytes && !strayEnd.test(rest)) return left;
    // The end of this event is unknown, or too far away to wait for.
    path?.leaves();
    const all = left + rest;
    rest = "";
    return all;
  };
  /** A last line without a line break counts, too: some servers omit it. */
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
/** A carriage return without a line feed after it; at the end of the text a line feed may still follow. */
const strayEnd = /\r(?!$)/;
