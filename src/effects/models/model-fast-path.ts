import { isJsonObject, type JsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { limits } from "../../limits/index.ts";
import type { fetchForLibraries } from "../safe-fetch/fetch-for-libraries.ts";
import { type ModelLanguage, type Noticed, noticedIn, withoutRefusal, wordsIn } from "./model-words.ts";

/** Reads the words of a model's answer past the library, which costs 60 µs an event; everything else is the library's. */
export type FastPath = {
  /** The library has given these words, of what was left to it. */
  heard(words: string): void;
  /** Reads the words of an event; false where they are left to the library. */
  takes(words: string): boolean;
  /** Something is left to the library that says more than words. */
  leaves(): void;
  /** Gives the words that were read. */
  give(): void;
  /** How long what comes may be held back: whoever waits for the first word waits for no timer. */
  holdMs(): number;
};

/** Twenty new drawings a second are enough for whoever reads along. */
const holdMs = 50;

/**
 * Which words of an answer are read past the library. Its first ones never are, nor those behind an event that says something else, so that it sees
 * how an answer begins, goes on and ends. And none are while it may hold words back that came before them: all that it was left it gives
 * within the same turn of the event loop, since it waits for nothing but its input.
 *
 *     closed ─ the library gives the last of the words that it was left ─→ opening
 *     opening ─ the next turn of the event loop ─────────────────────────→ open: words are read here
 *     opening, open ─ something else comes ──────────────────────────────→ closed: with the words behind it left to the library
 */
export function createFastPath(onWords: (words: string) => void): FastPath {
  let isOpen = false;
  let isGiven = false;
  /** How often something was left to the library, and of how many characters it is still to give the words. */
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

/** Calls whose answers are read past the library where they are streams of events. */
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
  /** Absent: the library reads all of it. */
  readonly path?: FastPath | undefined;
  /** Is told what events say that the library drops. */
  notice(noticed: Noticed): void;
  /** What the library is to read in place of an event; undefined: the event itself. Absent: each itself. */
  right?(event: JsonObject): JsonObject | undefined;
  /** What follows the last event. */
  end?(): string;
};

/** `isChanged`: the event is no more what the line says. */
type Line = { readonly line: string; readonly event?: JsonObject; readonly isChanged?: boolean };

/** A stream of events, as the library is to read it. */
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
  /** What of an event is left to the library. */
  const leftOf = (lines: string): string => {
    const all = lines.split("\n").map(read);
    const event = all.every(({ line }, index) => index === all.length - 1 || nameLine.test(line)) && all.at(-1)?.event;
    const words = event ? wordsIn[language](event) : undefined;
    if (words !== undefined && path?.takes(words)) return "";
    if (words === undefined) path?.leaves();
    const left = words === undefined ? all.map(noticed) : all;
    return `${left.map((one) => (one.isChanged ? `data: ${JSON.stringify(one.event)}` : one.line)).join("\n")}\n\n`;
  };
  /** What is left of these bytes; the beginning of an event waits for its end. */
  const leftOfPiece = (piece: Uint8Array): string => {
    const text = withLineFeeds(`${rest}${decoder.decode(piece, { stream: true })}`);
    const events = text.split("\n\n");
    rest = events.pop() ?? "";
    const left = events.map(leftOf).join("");
    if (rest.length <= limits.streams.lineBytes && !strayEnd.test(rest)) return left;
    // Nobody here knows where this event ends, or waits for so much of it.
    path?.leaves();
    const all = left + rest;
    rest = "";
    return all;
  };
  /** Of servers that know little of streams a last line without its end counts, too. */
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
/** A line that ends otherwise than with a line feed, which may still come behind the last character. */
const strayEnd = /\r(?!$)/;
