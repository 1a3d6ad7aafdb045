import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { asAppError } from "../../platform/http/requests/failures.ts";
import { listSteps } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

/** Whether a response makes the client request an answer and then send a report. */
export function awaitsStream(response: unknown): boolean {
  const actions = valueAt(response, "clientSideActions");
  const types = Array.isArray(actions) ? actions.map((action) => textAt(action, "type")) : [];
  return types.includes("stream") || types.includes("streamOpenAiChatCompletion");
}

/**
 * Whether the client has rendered the answer of this response's step, so that only the client's report is outstanding.
 */
export function wasStreamed(response: unknown): boolean {
  return textAt(response, "streamedText") !== undefined;
}

/** Returns the text of the bubble that the client has rendered. The author's own text may follow the answer. */
export function drawnText(response: unknown): string {
  const answer = textAt(response, "streamedText") ?? "";
  const messages = valueAt(response, "messages");
  const shown = Array.isArray(messages) ? textAt(messages.at(-1), "content", "plainText") : undefined;
  return shown?.startsWith(answer) ? shown : answer;
}

/** The pause between attempts of a step while an answer is streamed. */
const pauseMs = 500;

/**
 * Retries a step that was rejected because an answer is being streamed in its session, until the answer ends. In other
 * cases, or after a timeout or an abort, throws the latest error.
 */
export async function takeBehindStream<Answer>(
  deps: ChatDependencies,
  refusal: unknown,
  { sessionId, signal, take }: { sessionId: string; signal: AbortSignal; take(): Promise<Answer> },
): Promise<Answer> {
  const deadline = deps.clock.now() + limits.step.effectsMs;
  let thrown = refusal;
  while (asAppError(thrown).code === "session.busy" && deps.clock.now() < deadline && !signal.aborted) {
    const [last] = await listSteps(deps.sql, sessionId, 1);
    if (!last || !awaitsStream(last.response)) break;
    await pause(deps.clock, pauseMs);
    try {
      return await take();
    } catch (error) {
      thrown = error;
    }
  }
  throw thrown;
}
