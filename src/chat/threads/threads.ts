import { LRUCache } from "lru-cache";
import { ThreadLost } from "../../core/interpreter/step-errors.ts";
import type {
  AdvanceAnswer,
  AdvanceTask,
  ProgramName,
  ProgramText,
  ProveTask,
  ReplayTask,
  TaskResult,
  ThreadKind,
} from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { createBatcher } from "../../platform/concurrency/batcher.ts";
import type { Usage } from "../../platform/concurrency/fair-share.ts";
import { createProver, createReader } from "./aside.ts";
import { createInlineRunner, type InlineTools } from "./inline-runner.ts";
import { createPool, isKill, type Pool } from "./pool.ts";
import { createSharedThreads } from "./shared-threads.ts";
import { type AnonymousLane, createAnonymousLane, createTurns, slowThreads } from "./turns.ts";

const maxBatch = 16;

/** How long a step waits for a busy thread before a sleeping thread is woken. */
const patienceMs = 2;

/**
 * A shared thread whose batch takes longer despite the quotas is killed. Each step of the batch is then run separately.
 */
const sharedBatchMs = 5_000;

/**
 * A bot is treated as slow for some time after one of its steps has taken more processor time than this, or has
 * exceeded its quota or budget.
 */
const longStepMs = 100;

const maxSlowBots = 1_000;

/**
 * A thread ends after this time without a task. Every chat with an integration needs the shared threads, but other
 * threads are rarely needed.
 */
const sharedIdleMs = 10 * 60_000;
const slowIdleMs = 20_000;

/** The maximum number of preparations of a step: for its flow, its linked flows, and a sandbox. */
const maxPreparations = 4;

/** The answers that this module returns. It handles the other kinds of answers itself. */
export type ThreadAnswer = Exclude<AdvanceAnswer, { kind: "unknown_programs" | "failed" | "newer_state" | "tooLong" }>;

/** Where a step ran, or was last attempted. */
export type StepPlace = "inline" | "shared" | "slow" | "anonymous";

/** Runs steps inline or on worker threads. */
export type Threads = {
  /**
   * Runs a step when it is the turn of its workspace, or of its bot if it has no workspace. Anonymous steps run on a
   * separate thread, and their caller must have a place in the anonymous lane. `loadFlow` is called for flows that the
   * thread has not cached. Throws `server.overloaded` if too many steps wait, `step.over_budget` if the step was killed
   * with its thread, and `server.newer_state` if a newer release saved the session.
   */
  advance(
    task: AdvanceTask,
    options: {
      loadFlow: LoadFlow;
      workspaceId?: string | null;
      isAnonymous?: boolean;
      /** Whether `advanceHere` has already failed to run the step. */
      isTriedHere?: boolean;
      /** Called with each place before the step is attempted there. */
      onPlace?(place: StepPlace): void;
    },
  ): Promise<ThreadAnswer>;
  /**
   * Runs a small step on this thread, synchronously, because most steps need no promise. Returns undefined if only
   * `advance` can run the step.
   */
  advanceHere(task: AdvanceTask, loadFlow: LoadFlow): ThreadAnswer | undefined;
  /**
   * Runs a task when it is the visitor's turn in the lane of anonymous previews. Throws `server.overloaded` if too many
   * tasks wait.
   */
  inAnonymousLane: AnonymousLane["run"];
  /**
   * Runs test conversations on a separate thread, one at a time. Throws `test_conversation.too_long` if the thread was
   * killed, and `server.overloaded` if too many runs wait.
   */
  prove(task: ProveTask, workspaceId: string): Promise<string>;
  /**
   * Replays chats on the thread of `prove`, in turn. Throws `step.over_budget` if the thread was killed, and
   * `server.overloaded` if too many runs wait.
   */
  replay(task: ReplayTask, workspaceId: string): Promise<string>;
  /**
   * Reads a large body on a separate thread (see `core/documents/incoming-body.ts`). Throws `server.overloaded` if too
   * many bodies wait, or if the thread was killed or lost.
   */
  readBody(body: Uint8Array<ArrayBuffer>, caller: string): Promise<string>;
  /** Computes the `canonicalHash` of a large flow from its JSON text, on the thread of `readBody`. */
  addressOf(flow: string, caller: string): Promise<Buffer>;
  /** The units in flight, waiting steps and rejected steps of each kind of thread. */
  usages(): Readonly<Record<string, Usage>>;
  /** Resolves when a thread answers. The first call starts a thread. */
  ready(): Promise<void>;
  /** Resolves when a thread answers, or immediately if no thread has been started. */
  ping(): Promise<void>;
  /** Waits for running tasks, then ends every thread. */
  close(): Promise<void>;
};

/**
 * Runs work that needs much processor time on worker threads, and work that costs less than a round trip on this
 * thread. A step starts at the left, but a step of a slow bot starts on a slow thread. A step that exceeds its quota is
 * restarted further to the right, with the same outcome:
 *
 *     inline (inline-runner.ts) ─ over quota ─→ one of up to `count` shared threads ─ over quota ─→ a slow thread
 *     anonymous ─→ the thread of anonymous previews
 *
 * Each thread starts with its first task, and ends when it has had no task for a long time. While no shared thread
 * runs, a step waits for its flow or sandbox to be loaded on this thread, because this is faster than starting a
 * thread.
 *
 * No step waits long for a runaway step. A runaway blocks a shared thread for at most 0.2 s, and only once: its bot
 * is then treated as slow for a while, and its steps are sent to a slow thread, including steps that wait for a shared
 * thread. A thread that takes too long is killed with its step. Workspaces share the shared and slow threads fairly
 * (`turns.ts`). Anonymous steps run on a thread that no other steps use.
 */
export function createThreads(options: {
  count: number;
  taskMs?: number;
  queue?: number;
  file?: string;
  /** If absent, every step runs on a worker thread. */
  inline?: InlineTools;
  /** Defaults to a lane with one preview at a time in this process. */
  anonymousPreviews?: AnonymousLane;
}): Threads {
  const { count, taskMs = limits.step.threadMs, queue = count * limits.threads.queue, file = taskFile() } = options;
  const slowBots = new LRUCache<string, true>({ max: maxSlowBots, ttl: limits.threads.runawayMinutes * 60_000 });
  const inline =
    options.inline && createInlineRunner({ ...options.inline, onIntegration: () => void ready().catch(() => {}) });
  const turns = createTurns({ threads: count, queue });
  const ownLane = createAnonymousLane();
  const lane = options.anonymousPreviews ?? ownLane;
  const pools: Pool[] = [];
  const startPool = (kind: ThreadKind, batchMs: number): Pool => {
    const idleMs = kind === "shared" ? sharedIdleMs : slowIdleMs;
    const started = createPool({ file, kind, batchMs, idleMs });
    pools.push(started);
    return started;
  };
  const threads = createSharedThreads({ count, start: () => startPool("shared", Math.min(taskMs, sharedBatchMs)) });
  const isSlow = ({ program }: AdvanceTask): boolean => slowBots.has(program.botId);
  /**
   * Marks a bot as slow if its task took too long. Runs before the next batch is sent, so that this batch can omit the
   * bot's steps.
   */
  const noteIfSlow = (task: AdvanceTask, { answer, busyMs }: TaskResult): void => {
    // The time of a task that sends a flow is ignored, because it includes compiling the flow.
    const isWhole = task.programs.length === 0;
    if (isWhole) turns.note(task.program.botId, busyMs);
    const isLong = busyMs > longStepMs && isWhole;
    const isOverBudget = answer.kind === "refused" && answer.code === "step.over_budget";
    if (isLong || isOverBudget || answer.kind === "tooLong") slowBots.set(task.program.botId, true);
  };
  const noted = async (
    tasks: readonly AdvanceTask[],
    run: (tasks: readonly AdvanceTask[]) => Promise<readonly TaskResult[]>,
  ): Promise<readonly TaskResult[]> => {
    const results = await run(tasks);
    for (const [index, result] of results.entries()) if (tasks[index]) noteIfSlow(tasks[index], result);
    return results;
  };
  const batching = {
    patienceMs,
    maxWaitMs: limits.threads.waitMs,
    /**
     * Steps that lost their thread are retried separately, to find the step at fault. A step whose thread ended
     * unexpectedly is retried once more.
     */
    isTriedAlone: (error: unknown, failedAlone: number) =>
      failedAlone === 0
        ? error instanceof ThreadLost || isKill(error)
        : failedAlone === 1 && error instanceof ThreadLost,
  };
  const shared = createBatcher<AdvanceTask, TaskResult>({
    ...batching,
    get inFlight() {
      return threads.size();
    },
    maxBatch,
    // `turns.ts` counts and limits the waiting steps, by the milliseconds that each step is expected to take.
    maxWaiting: Number.POSITIVE_INFINITY,
    async run(tasks) {
      // Bots may have become slow while their steps waited. Their steps at the front of the queue are moved to a slow
      // thread, and the next batch starts with the steps behind them.
      const slowFirst = lengthWhile(tasks, isSlow);
      if (slowFirst > 0) return tasks.slice(0, slowFirst).map(() => tooLong);
      const sent = tasks.slice(
        0,
        lengthWhile(tasks, (task) => !isSlow(task)),
      );
      try {
        return await noted(sent, threads.run);
      } catch (error) {
        const [lone, ...others] = sent;
        if (!lone || others.length > 0 || !isKill(error)) throw error;
        slowBots.set(lone.program.botId, true);
        return [tooLong];
      }
    },
  });
  const addShared = (task: AdvanceTask): Promise<TaskResult> =>
    threads.whileWaiting(
      task,
      () => shared.add(task),
      // Adding a task makes the batcher look for a thread again.
      () => void shared.add(pingTask).catch(() => {}),
    );
  const ready = async (): Promise<void> => {
    await shared.add(pingTask);
  };
  /** Creates a batcher for steps that may use their whole budget. Each thread runs one step at a time. */
  const runAlone = (threads: number) => {
    const idle: Pool[] = [];
    return createBatcher<AdvanceTask, TaskResult>({
      ...{ ...batching, inFlight: threads, maxBatch: 1, maxWaiting: Number.POSITIVE_INFINITY },
      async run(tasks) {
        const own = idle.pop() ?? startPool("slow", taskMs);
        try {
          return await noted(tasks, own.runBatch);
        } finally {
          idle.push(own);
        }
      },
    });
  };
  const prover = createProver(() => startPool("slow", limits.testConversations.runMs));
  const read = createReader(() => startPool("slow", limits.request.bodyReadMs));
  const slow = runAlone(slowThreads);
  const anonymous = runAlone(1);
  const runOnThread = async (
    task: AdvanceTask,
    workspace: string,
    onPlace: (place: StepPlace) => void,
  ): Promise<AdvanceAnswer> => {
    const { botId } = task.program;
    onPlace("shared");
    const { answer } = isSlow(task) ? tooLong : await turns.onShared(workspace, botId, () => addShared(task));
    if (answer.kind !== "tooLong") return answer;
    onPlace("slow");
    return (await turns.onSlow(workspace, () => slow.add(task))).answer;
  };
  const runWithFlows = async (
    task: AdvanceTask,
    loadFlow: LoadFlow,
    run: (task: AdvanceTask) => Promise<AdvanceAnswer>,
  ): Promise<ThreadAnswer> => {
    const answer = await run(task);
    if (answer.kind !== "unknown_programs") return unwrap(answer);
    const load = async (name: ProgramName): Promise<ProgramText> => ({ ...name, flow: await loadFlow(name) });
    return unwrap(await run({ ...task, programs: await Promise.all(answer.names.map(load)) }));
  };
  const advanceHere = (task: AdvanceTask, loadFlow: LoadFlow): ThreadAnswer | undefined => {
    const answer = isSlow(task) ? undefined : inline?.run(task, loadFlow);
    return answer && unwrap(answer);
  };
  /**
   * Runs a step on this thread after its missing parts are loaded. Returns undefined if the step needs a worker thread,
   * or if a shared thread is running.
   */
  const advancePrepared = async (task: AdvanceTask, loadFlow: LoadFlow): Promise<ThreadAnswer | undefined> => {
    for (let round = 0; round < maxPreparations && threads.state() !== "running"; round++) {
      const preparing = inline?.preparing(task);
      if (!preparing) return undefined;
      await preparing;
      const answer = advanceHere(task, loadFlow);
      if (answer) return answer;
    }
    return undefined;
  };
  return {
    advanceHere,
    async advance(task, { loadFlow, workspaceId, isAnonymous = false, isTriedHere = false, onPlace = () => {} }) {
      onPlace(isAnonymous ? "anonymous" : "inline");
      if (isAnonymous) return runWithFlows(task, loadFlow, async (one) => (await anonymous.add(one)).answer);
      const answer = (isTriedHere ? undefined : advanceHere(task, loadFlow)) ?? (await advancePrepared(task, loadFlow));
      if (answer) return answer;
      const workspace = workspaceId ?? task.program.botId;
      return runWithFlows(task, loadFlow, (one) => runOnThread(one, workspace, onPlace));
    },
    inAnonymousLane: lane.run,
    usages() {
      const { shared, slow } = turns.usages();
      return { threads: shared, slow_threads: slow, anonymous_previews: ownLane.usage() };
    },
    prove: prover.prove,
    replay: prover.replay,
    readBody: (body, caller) => read({ body }, caller),
    addressOf: async (flow, caller) => Buffer.from(await read({ addressed: flow }, caller), "hex"),
    ready,
    ping: async () => (threads.state() === "missing" ? undefined : await ready()),
    async close() {
      await Promise.all(pools.map((one) => one.close()));
    },
  };
}

type LoadFlow = (name: ProgramName) => Promise<string>;

const tooLong: TaskResult = { answer: { kind: "tooLong" }, busyMs: 0 };

/** Returns the number of tasks before the first task that fails the test. */
function lengthWhile(tasks: readonly AdvanceTask[], test: (task: AdvanceTask) => boolean): number {
  const end = tasks.findIndex((task) => !test(task));
  return end < 0 ? tasks.length : end;
}

/** A task without a program. Any working thread answers it with `unknown_programs`. */
const pingTask: AdvanceTask = {
  program: { key: "", botId: "" },
  programs: [],
  context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
  input: { kind: "start", resultId: null, isStreamEnabled: false, isOnlyRegistering: true, reply: null, options: {} },
};

function unwrap(answer: AdvanceAnswer): ThreadAnswer {
  switch (answer.kind) {
    case "unknown_programs":
      throw new Error(
        `A thread does not have the programs that were sent to it: ${answer.names.map((name) => name.key).join(", ")}`,
      );
    case "tooLong":
      throw new Error("A thread without a quota reported that a step takes too long");
    case "failed":
      throw new Error(`The interpreter failed: ${answer.name}: ${answer.message}\n${answer.stack}`);
    case "newer_state":
      throw new AppError("server.newer_state");
    default:
      return answer;
  }
}

/**
 * Returns the URL of the worker's file. It is next to the sources, or embedded in the binary under the name that the
 * build assigns.
 */
function taskFile(): string {
  return new URL("../../../workers/advance.ts", import.meta.url).href;
}
