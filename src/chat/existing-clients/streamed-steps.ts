import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { asAppError } from "../../platform/http/requests/failures.ts";
import { listSteps } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

/** Whether a response makes its client request an answer and then report back. */
export function awaitsStream(response: unknown): boolean {
  const actions = valueAt(response, "clientSideActions");
  const types = Array.isArray(actions) ? actions.map((action) => textAt(action, "type")) : [];
  return types.includes("stream") || types.includes("streamOpenAiChatCompletion");
}

/** Whether a response is of a step whose answer its client has drawn, so that the client's report is outstanding. */
export function wasStreamed(response: unknown): boolean {
  return textAt(response, "streamedText") !== undefined;
}

/** The part of the bubble that its client has drawn. An author's own text may follow the answer. */
export function drawnText(response: unknown): string {
  const answer = textAt(response, "streamedText") ?? "";
  const messages = valueAt(response, "messages");
  const shown = Array.isArray(messages) ? textAt(messages.at(-1), "content", "plainText") : undefined;
  return shown?.startsWith(answer) ? shown : answer;
}

/** The pause between attempts of a report that waits for an answer streamed by another node. */
const pauseMs = 500;

/**
 * Retries a step that was refused because an answer is being streamed in its session, until the answer ends. Otherwise,
 * and when the time is up, throws the refusal.
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
