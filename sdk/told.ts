import { ParleyError } from "./error.ts";
import type { ErrorBody, Message } from "./generated.ts";

/** An event of a step before its end. */
export type Told =
  /** All messages of this step so far: the beginning of those that it answers with. `sessionId` on a start. */
  | { readonly event: "said"; readonly messages: readonly Message[]; readonly sessionId?: string }
  /** More of the bubble of this block; the answer has the bubble whole. */
  | { readonly event: "delta"; readonly blockId: string; readonly text: string }
  /** Text of this bubble that was sent before is void: the bubble starts again. */
  | { readonly event: "restart"; readonly blockId: string };

/** An answer, or where the connection broke: behind which event it goes on. */
export type ReadStep<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "broken"; readonly lastId: string | undefined; readonly cause: unknown };

/** Whether an answer is read as it comes. */
export function isEvents({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

/** Reads a step as it comes. Throws what its last event says went wrong. */
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

/** Comments, which keep the connection open, are left out. */
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
