import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { asAppError } from "../../platform/http/requests/failures.ts";
import { listSteps } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { awaitsStream } from "./streamed-steps.ts";

/** The pause between attempts of a report that waits for an answer streamed by another node. */
const pauseMs = 500;

/**
 * Retries a step that was refused because an answer is being streamed in its session, until the answer ends. Otherwise, and when the time is up,
 * throws the refusal.
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
