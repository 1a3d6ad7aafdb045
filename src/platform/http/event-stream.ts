import type { TSchema } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../concurrency/clock.ts";

/** One event of a streamed response. `data` is JSON text on a single line. */
export type StreamedEvent = { readonly event: string; readonly id?: string; readonly data: string };

/** The events of an operation that can stream its response. */
export type AnswerEvents = {
  readonly events: Readonly<Record<string, TSchema>>;
  /** The name of the last event, which contains the response. An `error` event may replace it. */
  readonly last: string;
  /**
   * The condition under which the response is a stream of events, as the end of a sentence. If absent, events are
   * always sent.
   */
  readonly when?: string;
  /** Whether an interrupted stream can be resumed with `Last-Event-ID`. */
  readonly mayContinue: boolean;
};

/** The media type with which a client requests events. */
export const eventsType = "text/event-stream";

/** Whether the header `Accept` includes the media type of events. */
export function takesEvents(headers: Headers): boolean {
  const accept = headers.get("accept");
  return accept !== null && /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(accept);
}

/** Events are collected for this time before they are sent, because a chunk costs the client more than its content. */
const gatherMs = 40;

export type EventSource = {
  /** Resolves once there are new events or the source has ended. */
  more(): Promise<void>;
  take(): readonly StreamedEvent[];
  /** True after the last event. */
  hasEnded(): boolean;
  /** Called when the stream has ended or the client has disconnected. */
  leave(): void;
};

/**
 * Creates a streamed response of events. Events are read from the source when the connection accepts more data, so a
 * slow client gets larger chunks.
 *
 *     waiting ─ the source has events ───────────────→ gathering
 *     waiting ─ no events for `commentMs` ───────────→ waiting, after a comment line is written
 *     gathering ─ `gatherMs` after the last write ───→ waiting or ended, after the events are written
 *     any ─ the connection is closed ────────────────→ left
 */
export function eventStream(source: EventSource, { clock }: { readonly clock: Clock }): Response {
  let writtenAt = clock.now();
  let wake = (): void => {};
  let stopGathering = (): void => {};
  let stopSilence: (() => void) | undefined;
  // Tells the client immediately that the response has started.
  let greeting = ": under way\n\n";

  const silentMsLeft = (): number => writtenAt + limits.streamedAnswers.commentMs - clock.now();
  /** Starts the timer that detects silence. One timer is used for the whole stream instead of a timer per event. */
  const watchSilence = (): void => {
    stopSilence ??= clock.startTimer(silentMsLeft(), () => {
      stopSilence = undefined;
      if (silentMsLeft() > 0) watchSilence();
      else wake();
    });
  };
  const taken = (): string => source.take().map(written).join("");
  const next = async (): Promise<string> => {
    if (greeting !== "") {
      const first = greeting + taken();
      greeting = "";
      return first;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      void source.more().then(resolve);
    });
    const dueMs = writtenAt + gatherMs - clock.now();
    if (dueMs > 0) {
      await new Promise<void>((resolve) => {
        stopGathering = clock.startTimer(dueMs, resolve);
      });
    }
    const text = taken();
    return text === "" && silentMsLeft() <= 0 ? ": still under way\n\n" : text;
  };
  const end = (): void => {
    stopGathering();
    stopSilence?.();
    source.leave();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = "";
        // A call of `pull` that enqueues nothing is not repeated, so this loop continues until there is text.
        while (text === "" && !source.hasEnded()) text = await next();
        writtenAt = clock.now();
        controller.enqueue(encoder.encode(text));
        if (!source.hasEnded()) return watchSilence();
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: eventHeaders });
}

const encoder = new TextEncoder();

const eventHeaders = {
  "Content-Type": `${eventsType};charset=utf-8`,
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

function written({ event, id, data }: StreamedEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`;
}
