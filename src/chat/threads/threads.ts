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

/** How long a step waits for a busy thread before it wakes a sleeping one. */
const patienceMs = 2;

/**
 * A shared thread that takes longer for a batch, despite the quotas, is killed. Each step of the batch then runs alone.
 */
const sharedBatchMs = 5_000;

/**
 * A bot counts as slow for some time when one of its steps takes more processor time than this, or exceeds its quota or
 * budget.
 */
const longStepMs = 100;

const maxSlowBots = 1_000;

/**
 * A thread without a task for this long ends. Every chat with an integration needs the shared threads; the others are
 * needed seldom.
 */
const sharedIdleMs = 10 * 60_000;
const slowIdleMs = 20_000;

/** A flow, its linked flows, and a sandbox. */
const maxPreparations = 4;

/** The answers that leave this module: all except those that it handles itself. */
export type ThreadAnswer = Exclude<AdvanceAnswer, { kind: "unknown_programs" | "failed" | "newer_state" | "tooLong" }>;

/** Where a step ran, or was last tried. */
export type StepPlace = "inline" | "shared" | "slow" | "anonymous";

/** Where steps run. */
export type Threads = {
  /**
   * Runs one step. It waits for its turn among the steps of its workspace, or of its bot when it has no workspace.
   * Anonymous steps have a separate thread, and their caller holds a place in the anonymous lane. `loadFlow` is called
   * for flows that the thread has not cached. Throws `server.overloaded` when too many steps wait, `step.over_budget`
   * when the step was killed with its thread, `server.newer_state` when a newer release saved the session.
   */
  advance(
    task: AdvanceTask,
    options: {
      loadFlow: LoadFlow;
      workspaceId?: string | null;
      isAnonymous?: boolean;
      /** `advanceHere` could not run the step. */
      isTriedHere?: boolean;
      /** Called with each place before the step is tried there. */
      onPlace?(place: StepPlace): void;
    },
  ): Promise<ThreadAnswer>;
  /**
   * Runs a small step on this thread, synchronously: most steps need no promise. Undefined: only `advance` can run it.
   */
  advanceHere(task: AdvanceTask, loadFlow: LoadFlow): ThreadAnswer | undefined;
  /**
   * Runs a task when its visitor has a place in the lane of anonymous previews. Throws `server.overloaded` when too
   * many wait.
   */
  inAnonymousLane: AnonymousLane["run"];
  /**
   * Runs test conversations on a separate thread, one at a time. Throws `test_conversation.too_long` when killed,
   * `server.overloaded` when too many wait.
   */
  prove(task: ProveTask, workspaceId: string): Promise<string>;
  /**
   * Replays chats on the thread of `prove`, in turn. Throws `step.over_budget` when killed, `server.overloaded` when
   * too many wait.
   */
  replay(task: ReplayTask, workspaceId: string): Promise<string>;
  /**
   * Reads a large body on a separate thread: see `core/documents/incoming-body.ts`. Throws `server.overloaded` when too
   * many wait.
   */
  readBody(body: Uint8Array<ArrayBuffer>, caller: string): Promise<string>;
  /** The address of a large flow, from its JSON text: `canonicalHash` on that thread. */
  addressOf(flow: string, caller: string): Promise<Buffer>;
  /** Units in flight, waiting steps and refused steps of each kind of thread. */
  usages(): Readonly<Record<string, Usage>>;
  /** Resolves when a thread answers, which starts with the first call. */
  ready(): Promise<void>;
  /** Resolves when a thread answers, or when none is needed so far. */
  ping(): Promise<void>;
  /** Waits for running tasks, then ends every thread. */
  close(): Promise<void>;
};

/**
 * Work that needs much processor time goes to the pool; work that costs less than the round trip does not. A step
 * begins at the left, and a step of a slow bot on a slow thread. A step over its quota begins again further to the
 * right, with the same outcome:
 *
 *     inline (inline-runner.ts) ─ more than its quota ─→ one of up to `count` shared threads ─ more than its quota ─→ a slow thread
 *     anonymous ─→ the thread of anonymous previews
 *
 * Each thread starts with its first task and ends when it has had none for long. While no shared thread runs, a step
 * waits for what it lacks on this thread, its flow or a sandbox: that is here sooner.
 *
 * So no step waits for a runaway for long. A runaway blocks a shared thread for 0.2 s at most, and only once: then its
 * bot is slow for a while, and its steps go to a slow thread at once, including those that wait for a shared one. A
 * thread that takes too long is killed with its step. Workspaces share the shared and slow threads fairly (`turns.ts`).
 * Anonymous steps run on a thread that no other steps use.
 */
export function createThreads(options: {
  count: number;
  taskMs?: number;
  queue?: number;
  file?: string;
  /** Absent: every step runs on a thread. */
  inline?: InlineTools;
  /** Absent: one at a time in this process. */
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
  /** Runs before the next batch is sent, so that it can leave out the steps of a bot that has become slow. */
  const noteIfSlow = (task: AdvanceTask, { answer, busyMs }: TaskResult): void => {
    // Skip batches that send a flow: their time includes compiling it.
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
     * Steps that lost their thread are tried alone, to find the one at fault. A step whose thread ended by itself is
     * tried alone once more.
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
    // `turns.ts` counts and limits waiting steps. Each step here has as many units as its expected milliseconds.
    maxWaiting: Number.POSITIVE_INFINITY,
    async run(tasks) {
      // Bots may have become slow while their steps waited. Steps queued behind these come first in the next batch.
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
      // An added task makes the batcher look for a thread again.
      () => void shared.add(pingTask).catch(() => {}),
    );
  const ready = async (): Promise<void> => {
    await shared.add(pingTask);
  };
  /** For steps with their whole budget, one step on each thread. */
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
   * Runs a step on this thread once its missing parts are loaded; undefined: it needs a thread, or a thread is running.
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

/** The number of tasks before the first one that fails the test. */
function lengthWhile(tasks: readonly AdvanceTask[], test: (task: AdvanceTask) => boolean): number {
  const end = tasks.findIndex((task) => !test(task));
  return end < 0 ? tasks.length : end;
}

/** A task without a program: any working thread answers `unknown_programs`. */
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
        `A thread does not keep the programs it was sent: ${answer.names.map((name) => name.key).join(", ")}`,
      );
    case "tooLong":
      throw new Error("A thread without quota says that a step takes too long");
    case "failed":
      throw new Error(`The interpreter failed: ${answer.name}: ${answer.message}\n${answer.stack}`);
    case "newer_state":
      throw new AppError("server.newer_state");
    default:
      return answer;
  }
}

/** The file is next to the sources, or embedded in the binary under the name that the build gives it. */
function taskFile(): string {
  return new URL("../../../workers/advance.ts", import.meta.url).href;
}
