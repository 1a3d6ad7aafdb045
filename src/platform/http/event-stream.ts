import type { TSchema } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../concurrency/clock.ts";

/** One event of a streamed response. `data` is one line: JSON text. */
export type StreamedEvent = { readonly event: string; readonly id?: string; readonly data: string };

/** The events by which an operation answers a caller that accepts events. */
export type AnswerEvents = {
  readonly events: Readonly<Record<string, TSchema>>;
  /** The name of the last event, which contains the answer. An `error` may replace it. */
  readonly last: string;
  /** The condition under which events replace JSON, as the end of a sentence. Absent: always. */
  readonly when?: string;
  /** Whether an interrupted stream continues after `Last-Event-ID`. */
  readonly mayContinue: boolean;
};

/** The media type by which a caller requests events. */
export const eventsType = "text/event-stream";

/** Whether the header `Accept` names events. */
export function takesEvents(headers: Headers): boolean {
  const accept = headers.get("accept");
  return accept !== null && /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(accept);
}

/** Events are collected for this long: a piece costs its reader more than the words in it. */
const gatherMs = 40;

/** The source of a stream of events. */
export type EventSource = {
  /** Resolves once there are events, or the source has ended. */
  more(): Promise<void>;
  take(): readonly StreamedEvent[];
  /** True after the last event. */
  hasEnded(): boolean;
  /** Called when the reader has left. */
  leave(): void;
};

/**
 * A streamed response of events, which are taken from their source when the connection accepts more: a slow reader gets
 * more at once.
 *
 *     waiting ─ there is something to take ──────→ gathering
 *     waiting ─ nothing for `commentMs` ─────────→ a comment line is written; waiting
 *     gathering ─ `gatherMs` after the last time ─→ written; waiting, or ended
 *     any ─ the connection is closed ────────────→ left
 */
export function eventStream(source: EventSource, { clock }: { readonly clock: Clock }): Response {
  let writtenAt = clock.now();
  let wake = (): void => {};
  let stopGathering = (): void => {};
  let stopSilence: (() => void) | undefined;
  // Shows the reader at once that the response is under way.
  let greeting = ": under way\n\n";

  const silentMsLeft = (): number => writtenAt + limits.streamedAnswers.commentMs - clock.now();
  /** One timer for the whole stream, in place of a timer for each event. */
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
        // There is no later call that would pass on the remaining events.
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
