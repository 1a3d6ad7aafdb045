import { Piscina } from "piscina";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { createBatches } from "./batches.ts";
import { createLane } from "./lane.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramName, ProgramText } from "./messages.ts";

/** What a finished visit to a thread can be: everything but the thread's questions and bugs. */
export type ThreadAnswer = Exclude<AdvanceAnswer, { kind: "unknown_programs" | "failed" | "newer_state" }>;

/** Our side of the thread wall. */
export type Threads = {
  /**
   * Thinks one step through on a worker thread. `loadFlow` is asked for flows that the thread does not know yet.
   * Throws `server.overloaded` when too many steps wait, `step.over_budget` when the step had to be killed with its thread,
   * `server.newer_state` when the session was last served by a newer release.
   */
  advance(
    task: AdvanceTask,
    options: { loadFlow(name: ProgramName): Promise<string>; isAnonymous?: boolean },
  ): Promise<ThreadAnswer>;
  /** Whether a thread answers. */
  ping(): Promise<void>;
  /** Waits for tasks under way, then ends every thread. */
  close(): Promise<void>;
};

/** Starts `count` threads. A step that runs longer than `taskMs` is killed with its thread; others don't notice. */
export function createThreads(options: { count: number; taskMs?: number; queue?: number }): Threads {
  const { count, taskMs = limits.threadTaskMs, queue = count * limits.threadQueue } = options;
  const pool = new Piscina({
    filename: workerPath(),
    minThreads: count,
    maxThreads: count,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    // Threads that block on an atomic wait are woken no faster, and what they answer is heard later (p99 three times as long).
    atomics: "disabled",
  });
  // Our own queue before the pool's: what is handed over starts at once, so its time is its own.
  const batches = createBatches({
    width: count,
    queue,
    taskMs,
    visit: (tasks, maxMs) => runBounded(pool, tasks, maxMs),
  });
  const anonymousLane = createLane({ width: 1, queue: limits.anonymousPreviewQueue });

  const visit = async (task: AdvanceTask): Promise<AdvanceAnswer> => batches.run(task);
  const advance: Threads["advance"] = async (task, { loadFlow, isAnonymous = false }) => {
    const think = () => visitKnowing(visit, task, loadFlow);
    return isAnonymous ? anonymousLane.run(think) : think();
  };
  return {
    advance,
    async ping() {
      await visit(pingTask);
    },
    async close() {
      await pool.close({ force: false });
      await pool.destroy();
    },
  };
}

/** Answered by any thread with "I don't know this program": shows that it is alive. */
const pingTask: AdvanceTask = {
  program: { key: "", botId: "" },
  programs: [],
  context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
  input: { kind: "start", resultId: null, isStreamEnabled: false, isOnlyRegistering: true, reply: null, options: {} },
};

async function visitKnowing(
  visit: (task: AdvanceTask) => Promise<AdvanceAnswer>,
  task: AdvanceTask,
  loadFlow: (name: ProgramName) => Promise<string>,
): Promise<ThreadAnswer> {
  let answer = await visit(task);
  if (answer.kind === "unknown_programs") {
    const load = async (name: ProgramName): Promise<ProgramText> => ({ ...name, flow: await loadFlow(name) });
    answer = await visit({ ...task, programs: await Promise.all(answer.names.map(load)) });
  }
  switch (answer.kind) {
    case "unknown_programs":
      throw new Error(
        `A thread does not keep the programs it was sent: ${answer.names.map((name) => name.key).join(", ")}`,
      );
    case "failed":
      throw new Error(`The interpreter failed: ${answer.name}: ${answer.message}\n${answer.stack}`);
    case "newer_state":
      throw new AppError("server.newer_state");
    default:
      return answer;
  }
}

async function runBounded(
  pool: Piscina,
  tasks: readonly AdvanceTask[],
  maxMs: number,
): Promise<readonly AdvanceAnswer[]> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), maxMs);
  try {
    return await pool.run(tasks, { signal: controller.signal });
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    throw new AppError("step.over_budget", { data: { limit: "time", maxMs, blockIds: [] }, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Beside the sources, or embedded in the binary under the name that the build gives it. */
function workerPath(): string {
  return new URL("../../workers/advance.ts", import.meta.url).href;
}
