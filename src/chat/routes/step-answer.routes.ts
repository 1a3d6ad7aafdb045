import { limits } from "../../limits/index.ts";
import { failureResponse } from "../../management/operations/failure.ts";
import { replayedHeader } from "../../management/operations/idempotency.ts";
import { type EventSource, eventStream, type StreamedEvent, takesEvents } from "../../platform/http/event-stream.ts";
import { type JsonAnswer, jsonAnswer } from "../../platform/http/json-answer.ts";
import { currentRequest } from "../../platform/observing/current-request.ts";
import type { ChatAnswer, StepReader } from "../steps/answers-under-way.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import type { ProgressEvent } from "../steps/step-progress.ts";

type Asked = {
  readonly request: Request;
  readonly answerHeaders: Record<string, string>;
  /** The operation's path, for the log. */
  readonly route: string;
};

/**
 * Responds with a step. A request that accepts events gets a stream if the step takes long or reports progress. An
 * error before the stream starts is an ordinary response.
 */
export async function stepAnswer(
  deps: ChatDependencies,
  { request: { headers, signal }, answerHeaders, route }: Asked,
  take: (reader: StepReader | undefined) => Promise<ChatAnswer>,
): Promise<Response | JsonAnswer> {
  const reader = takesEvents(headers)
    ? deps.answersUnderWay.reader({ after: headers.get("last-event-id") })
    : undefined;
  if (!reader) return wholeAnswer(answerHeaders, await take(undefined));
  // If the client disconnects before the first event, the reader is no longer needed.
  signal.addEventListener("abort", () => reader.leave(), { once: true });
  let isStreamed = false;
  let stopTimer = (): void => {};
  const soonOver = new Promise<void>((resolve) => {
    stopTimer = deps.clock.startTimer(limits.streamedAnswers.quickMs, resolve);
  });
  try {
    const answer = take(reader);
    const soon = await Promise.race([answer, reader.begun, soonOver]);
    if (soon) return wholeAnswer(answerHeaders, soon);
    isStreamed = true;
    const requestId = currentRequest()?.requestId ?? "";
    const events = eventsOf(reader, answer, (error) =>
      failureResponse(error, { requestId, method: "POST", route }, deps),
    );
    return eventStream(events, deps);
  } finally {
    stopTimer();
    if (!isStreamed) reader.leave();
  }
}

export function wholeAnswer(answerHeaders: Record<string, string>, answer: ChatAnswer): JsonAnswer {
  if (answer.isReplayed) Object.assign(answerHeaders, replayedHeader);
  return jsonAnswer(numbered(answer));
}

/**
 * Adds the step's number to the response, which is stored without the number. The number is prefixed as text, so the
 * response is not parsed.
 */
function numbered({ response, revision }: ChatAnswer): string {
  return revision === undefined ? response : `{"revision":${revision},${response.slice(1)}`;
}

/** Returns the reader's events, followed by the step or its error. */
function eventsOf(reader: StepReader, answer: Promise<ChatAnswer>, failure: (error: unknown) => Response): EventSource {
  let last: StreamedEvent | undefined;
  let hasEnded = false;
  const end = (event: StreamedEvent): void => {
    last = event;
    reader.wake({ isUrgent: true });
  };
  answer.then(
    (taken) => end({ event: "step", data: numbered(taken) }),
    async (error: unknown) => end({ event: "error", data: await failure(error).text() }),
  );
  return {
    more: reader.more,
    take() {
      const events = reader.take().map(eventOf);
      if (!last || hasEnded) return events;
      hasEnded = true;
      return [...events, last];
    },
    hasEnded: () => hasEnded,
    leave: reader.leave,
  };
}

function eventOf(event: ProgressEvent): StreamedEvent {
  switch (event.event) {
    case "said": {
      const { messages, sessionId } = event;
      const id = sessionId === undefined ? "" : `"sessionId":${JSON.stringify(sessionId)},`;
      return { event: "said", data: `{${id}"messages":${messages}}` };
    }
    case "delta": {
      const { id, blockId, text } = event;
      return { event: "delta", id, data: JSON.stringify({ blockId, text }) };
    }
    case "restart":
      return { event: "restart", data: JSON.stringify({ blockId: event.blockId }) };
    default:
      return event satisfies never;
  }
}
