import { createLimiter, type Limiter } from "../concurrency/limiter.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { Diverted } from "../step-errors.ts";
import { isKill } from "./batches.ts";
import {
  type AdvanceAnswer,
  type AdvanceTask,
  type ProgramName,
  type ProgramText,
  runawayThread,
  type Thought,
} from "./messages.ts";
import { createOnTheSpot, type SpotTools } from "./on-the-spot.ts";
import { createPool, type Pool } from "./pool.ts";
import { createRunaways } from "./runaways.ts";

/** Steps that are sent to a thread together when several wait. */
const maxBatch = 16;

/** A brief visit that takes longer in spite of its allowance is killed; each step of its batch is then tried alone. */
const briefVisitMs = 5_000;

/** Processor time that an ordinary step never takes. A bot whose step takes it, or goes over a budget, runs apart for a while. */
const longStepMs = 100;

/** Bots that are remembered to run apart. */
const maxRunaways = 1_000;

/** What a finished visit to a thread can be: everything but the thread's questions and bugs. */
export type ThreadAnswer = Exclude<AdvanceAnswer, { kind: "unknown_programs" | "failed" | "newer_state" | "tooLong" }>;

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

/**
 * Starts `count` threads. Steps that are known to be small are thought through without them. A step that runs longer than `taskMs` is killed with its thread; others don't notice. Bots whose
 * steps went over a budget, or took long, run apart for a while: they share one more thread.
 */
export function createThreads(options: {
  count: number;
  taskMs?: number;
  queue?: number;
  file?: string;
  /** With them small steps are thought through on the spot. */
  spot?: SpotTools;
  /** Absent: one at a time in this process. */
  anonymousPreviews?: Pick<Limiter, "run">;
}): Threads {
  const { count, taskMs = limits.step.threadMs, queue = count * limits.threads.queue, file = taskFile() } = options;
  const visitMs = Math.min(taskMs, briefVisitMs);
  const shared = createPool({
    file,
    threads: count,
    queue,
    visitMs,
    together: maxBatch,
  });
  let apart: Pool | undefined;
  const runaways = createRunaways({ most: maxRunaways, ms: limits.threads.runawayMinutes * 60_000 });
  const onTheSpot = options.spot && createOnTheSpot(options.spot);
  const anonymousPreviews = options.anonymousPreviews ?? limitAnonymousPreviews();

  const setApart = (botId: string): void => {
    runaways.add(botId);
    shared.divert(({ program }) => program.botId === botId);
  };
  const runApart = (task: AdvanceTask): Promise<Thought> => {
    apart ??= createPool({
      file,
      threads: 1,
      queue: limits.threads.runawayQueue,
      visitMs: taskMs,
      together: 1,
      told: runawayThread,
    });
    return apart.run(task);
  };
  const run = async (task: AdvanceTask): Promise<Thought> => {
    const { botId } = task.program;
    if (runaways.has(botId)) return runApart(task);
    try {
      const thought = await shared.run({ ...task, isBrief: true });
      if (thought.answer.kind !== "tooLong") return thought;
      setApart(botId);
    } catch (error) {
      if (isKill(error)) setApart(botId);
      else if (!(error instanceof Diverted)) throw error;
    }
    return runApart(task);
  };
  const visit = async (task: AdvanceTask): Promise<AdvanceAnswer> => {
    const { answer, busyMs } = await run(task);
    // A flow that was just sent had to be compiled, too.
    const isLong = busyMs > longStepMs && task.programs.length === 0;
    if (isLong || (answer.kind === "refused" && answer.code === "step.over_budget")) setApart(task.program.botId);
    return answer;
  };
  const advance: Threads["advance"] = async (task, { loadFlow, isAnonymous = false }) => {
    if (isAnonymous) return anonymousPreviews.run(() => visitKnowing(visit, task, loadFlow));
    const answer = runaways.has(task.program.botId) ? undefined : onTheSpot?.think(task, loadFlow);
    return answer ? read(answer) : visitKnowing(visit, task, loadFlow);
  };
  return {
    advance,
    async ping() {
      await visit(pingTask);
    },
    async close() {
      await Promise.all([shared.close(), apart?.close()]);
    },
  };
}

/** Anonymous previews go one after the other, so that they keep nobody waiting. */
export function limitAnonymousPreviews(): Limiter {
  return createLimiter({
    width: 1,
    maxWaiting: limits.threads.anonymousPreviewQueue,
    refuse: (why) => new AppError("server.overloaded", { data: why }),
  });
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
  return read(answer);
}

function read(answer: AdvanceAnswer): ThreadAnswer {
  switch (answer.kind) {
    case "unknown_programs":
      throw new Error(
        `A thread does not keep the programs it was sent: ${answer.names.map((name) => name.key).join(", ")}`,
      );
    case "tooLong":
      throw new Error("A visit that may take all its time said that it takes too long");
    case "failed":
      throw new Error(`The interpreter failed: ${answer.name}: ${answer.message}\n${answer.stack}`);
    case "newer_state":
      throw new AppError("server.newer_state");
    default:
      return answer;
  }
}

/** Beside the sources, or embedded in the binary under the name that the build gives it. */
function taskFile(): string {
  return new URL("../../workers/advance.ts", import.meta.url).href;
}
