import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { asAppError } from "../../platform/http/requests/failures.ts";
import { listSteps } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { awaitsStream } from "./streamed-steps.ts";

/** Between two tries of a report that waits for the answer's end on another node. */
const pauseMs = 500;

/**
 * Takes a step that found its session busy: while an answer is streamed there, for as long as that takes. Otherwise, and in the end, throws
 * what it was refused with.
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
