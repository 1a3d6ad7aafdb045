import { ParleyError } from "./error.ts";
import type { ErrorBody, Message } from "./generated.ts";

/** An event that a step sends before its end. */
export type Told =
  /**
   * All messages of the step so far. The step's response begins with these messages. If the step starts a chat, the
   * event also contains the `sessionId`.
   */
  | { readonly event: "said"; readonly messages: readonly Message[]; readonly sessionId?: string }
  /** More text for the bubble of this block. The response contains the whole bubble. */
  | { readonly event: "delta"; readonly blockId: string; readonly text: string }
  /** The previously sent text of this bubble is invalid, and the bubble starts again. */
  | { readonly event: "restart"; readonly blockId: string };

/** A response, or an interrupted stream with the id of the last received event. */
export type ReadStep<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "broken"; readonly lastId: string | undefined; readonly cause: unknown };

/** Whether the response is a stream of events. */
export function isEvents({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

/**
 * Reads the events of a step. Returns the kind `broken` if the stream ends before the response of the step. Throws the
 * error that the last event reports.
 */
export async function readStep<Answer>(response: Response, onTold: (told: Told) => void): Promise<ReadStep<Answer>> {
  let lastId: string | undefined;
  let cause: unknown;
  const texts = eventTexts(response);
  for (;;) {
    const next = await texts.next().catch((error: unknown) => {
      cause = error;
      return { done: true, value: undefined } as const;
    });
    if (next.done) return { kind: "broken", lastId, cause };
    const { event, id, data } = fieldsOf(next.value);
    if (event === "step") {
      const answer: Answer = JSON.parse(data);
      return { kind: "answered", answer };
    }
    if (event === "error") {
      const body: ErrorBody = JSON.parse(data);
      throw new ParleyError(body);
    }
    lastId = id ?? lastId;
    if (event === "said" || event === "delta" || event === "restart") onTold({ event, ...JSON.parse(data) });
  }
}

/** Yields the text of each event. Comments, which keep the connection open, are skipped. */
async function* eventTexts({ body }: Response): AsyncGenerator<string, void, undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      waiting += decoder.decode(value, { stream: true });
      const whole = waiting.split("\n\n");
      waiting = whole.pop() ?? "";
      for (const text of whole) if (!text.startsWith(":")) yield text;
    }
  } finally {
    void reader?.cancel().catch(() => {});
  }
}

function fieldsOf(text: string): { event: string; id: string | undefined; data: string } {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1];
  return { event: field("event") ?? "", id: field("id"), data: field("data") ?? "{}" };
}
