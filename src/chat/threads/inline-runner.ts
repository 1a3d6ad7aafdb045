import { LRUCache } from "lru-cache";
import type { FlowDocument } from "../../core/interpreter/flow.ts";
import { estimateCharacters } from "../../core/interpreter/language/estimate-characters.ts";
import type { RunScript } from "../../core/interpreter/language/script.ts";
import type { BlockDefinition } from "../../core/interpreter/program/block.ts";
import type { BlockTypes } from "../../core/interpreter/program/program.ts";
import { StepTooLong } from "../../core/interpreter/step-errors.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramName, TaskInput } from "../../core/tasks/messages.ts";
import { createMeter, type Quota } from "../../core/tasks/meter.ts";
import { createProgramCache } from "../../core/tasks/program-cache.ts";
import { runTask } from "../../core/tasks/run-task.ts";
import { createLazySandbox } from "./lazy-sandbox.ts";

/**
 * The quota of a step on this thread, where a long step delays all requests. It allows several times what most steps
 * need, and a millisecond of scripts.
 */
export const inlineQuota: Quota = {
  blocks: 500,
  scriptTicks: 300_000,
  characters: 64 * 1024,
  markdownCharacters: 500,
};

/**
 * The time for which a step may keep this thread busy. A step that takes longer stops when it next uses its quota, and
 * is restarted on a worker thread.
 */
export const inlineMs = 5;
export const stateCharacters = 8 * 1024;
export const replyCharacters = 500;

/** The size limits of a flow that runs on this thread. */
const flowCharacters = 512 * 1024;
export const blockCharacters = 16 * 1024;
export const themeCharacters = 64 * 1024;
const maxInputs = 200;

/**
 * The pause between two compilations, after the first `compileBurst` compilations. Without the pause, compilations take
 * more than a tenth of this thread's time when programs overflow the cache.
 */
export const compilePauseMs = 50;
export const compileBurst = 4;

/** The size limit of the program cache, measured by the size of the flows. */
const cacheCharacters = 8 * 1024 * 1024;

/** The size limit of the maps of programs and bots. */
const maxRemembered = 10_000;

/** The processor time that a step saves by running inline, because it needs no round trip to a worker thread. */
const roundTripMs = 0.03;

/**
 * The lost time in ms above which a bot runs on worker threads for `restMs`. A step that is restarted on a worker
 * thread adds the time that it took on this thread. A step that completes adds its time above `inlineMs` and subtracts
 * `roundTripMs`.
 */
export const maxWasteMs = 20;
const restMs = 60_000;

/**
 * Runs small steps on this thread. Most steps take 7 µs in a loop, and about 20 µs in the service. The round trip to
 * another thread takes 30 µs of processor time and half a millisecond (32 concurrent conversations, two cores, Bun
 * 1.4.4: 10,700 instead of 8,800 steps/s).
 *
 *     program: unknown ─ a step needs it ─→ loading ─→ ready, or permanently too large; unknown if loading failed
 *     bot:     running ─ its waste exceeds `maxWasteMs` ─→ resting ─ after `restMs` ─→ running, without waste
 *
 * A step runs inline if its program is ready, its input is small and its bot is not resting. If it exceeds its quota or
 * reaches an integration (`StepTooLong`), it is restarted on a worker thread, and the time that it took here is waste.
 * Steps that succeed in time reduce the waste.
 */
export type InlineRunner = {
  /** Returns undefined if the step must run on a worker thread. Even then, `loadFlow` may be called for later steps. */
  run(task: AdvanceTask, loadFlow: (name: ProgramName) => Promise<string>): AdvanceAnswer | undefined;
  /**
   * Called after `run` returned undefined. Resolves when loading the missing flows or the sandbox has ended. Returns
   * undefined if nothing is being loaded for the step.
   */
  preparing(task: AdvanceTask): Promise<unknown> | undefined;
};

export type InlineTools = {
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  /**
   * Creates a sandbox for this thread. Until the sandbox is loaded, or if loading fails, steps with scripts run on
   * worker threads.
   */
  createSandbox(): Promise<RunScript>;
  /** Called when a flow with an integration is loaded, because its steps will need a worker thread. */
  onIntegration?(): void;
  /** Replaced in tests. */
  readonly now?: () => number;
  readonly busyMs?: () => number;
};

type BotCost = { wasteMs: number; restsUntil: number };

export function createInlineRunner(tools: InlineTools): InlineRunner {
  const { now = () => performance.now(), busyMs = threadBusyMs } = tools;
  const sandbox = createLazySandbox(tools.createSandbox);
  const blocks = new Map([...tools.blocks].map(([type, block]) => [type, withoutIntegration(block)]));
  const cache = createProgramCache(cacheCharacters, blocks);
  const notReady = new LRUCache<string, "loading" | "too large">({ max: maxRemembered });
  const costs = new LRUCache<string, BotCost>({ max: maxRemembered });
  const processorTime = createProcessorTime(busyMs);
  const loads = new Map<string, Promise<void>>();
  const preparations = new WeakMap<AdvanceTask, Promise<unknown>>();
  /** The time at which the next compilation is due. A burst of compilations may start earlier. */
  let compilesFrom = Number.NEGATIVE_INFINITY;

  /** Returns undefined if the flow is too large, or if too many flows were compiled recently. */
  const load = (name: ProgramName, loadFlow: (name: ProgramName) => Promise<string>): Promise<void> | undefined => {
    const underWay = loads.get(name.key);
    if (underWay || notReady.has(name.key) || compilesFrom - now() > (compileBurst - 1) * compilePauseMs)
      return underWay;
    compilesFrom = Math.max(compilesFrom, now()) + compilePauseMs;
    const loading = loadNow(name, loadFlow).finally(() => loads.delete(name.key));
    loads.set(name.key, loading);
    return loading;
  };
  const loadNow = async (name: ProgramName, loadFlow: (name: ProgramName) => Promise<string>): Promise<void> => {
    notReady.set(name.key, "loading");
    try {
      const flow = await loadFlow(name);
      const size = sizeOf(flow, blocks);
      if (size === "large") {
        notReady.set(name.key, "too large");
        return;
      }
      cache.add({ ...name, flow });
      if (size === "small, with an integration") tools.onIntegration?.();
    } catch {
      // The step also loads the flow, and reports the error.
    } finally {
      if (notReady.get(name.key) === "loading") notReady.delete(name.key);
    }
  };
  const addCost = (cost: BotCost, { isDone, tookMs }: { isDone: boolean; tookMs: number }): void => {
    const wasted = isDone ? Math.max(0, tookMs - inlineMs) - roundTripMs : tookMs;
    cost.wasteMs = Math.max(0, cost.wasteMs + wasted);
    if (cost.wasteMs <= maxWasteMs) return;
    cost.wasteMs = 0;
    cost.restsUntil = now() + restMs;
  };
  const costOf = (botId: string): BotCost => {
    const known = costs.get(botId);
    if (known) return known;
    const fresh = { wasteMs: 0, restsUntil: 0 };
    costs.set(botId, fresh);
    return fresh;
  };
  const prepare = (task: AdvanceTask, parts: readonly (Promise<unknown> | undefined)[]): undefined => {
    if (!parts.includes(undefined)) preparations.set(task, Promise.all(parts));
  };
  return {
    preparing(task) {
      const preparing = preparations.get(task);
      preparations.delete(task);
      return preparing;
    },
    run(task, loadFlow) {
      const { key, botId } = task.program;
      const cost = costOf(botId);
      const begun = now();
      if (cost.restsUntil > begun || !isSmallInput(task.input)) return undefined;
      if (!cache.get(key)) return prepare(task, [load(task.program, loadFlow)]);
      const busyBegun = processorTime.about(begun);
      const meter = createMeter(inlineQuota, () => now() - begun > inlineMs && busyMs() - busyBegun > inlineMs);
      const answer = runTask({ blocks, cache, runScript: sandbox.runScript }, task, meter);
      if (answer.kind === "unknown_programs") {
        const missing = answer.names.filter((name) => !cache.get(name.key));
        return prepare(
          task,
          missing.map((name) => load(name, loadFlow)),
        );
      }
      const isDone = answer.kind !== "tooLong";
      // If the wall time was short, the processor time was no longer. Reading only one clock saves 0.3 µs.
      const wasShort = isDone && now() - begun <= inlineMs;
      // While the sandbox is loading, a step with a script stops and restarts on a worker thread. Its time is not added
      // to the bot's lost time.
      if (isDone || !sandbox.isLoading()) addCost(cost, { isDone, tookMs: wasShort ? 0 : busyMs() - busyBegun });
      if (!isDone && sandbox.isLoading()) prepare(task, [sandbox.load().catch(() => {})]);
      return isDone ? answer : undefined;
    },
  };
}

/**
 * Makes integrations run on a worker thread. They wait for other servers or the browser, so the round trip does not
 * matter.
 */
function withoutIntegration(block: BlockDefinition): BlockDefinition {
  if (block.family !== "integration") return block;
  const prepare = (): never => {
    throw new StepTooLong();
  };
  return { ...block, prepare };
}

/**
 * Whether an input is small enough to run inline. The cost of searching a reply and of reading a state grows with their
 * length. Reports of effects, steps back and writes of variables never run inline.
 */
function isSmallInput(input: TaskInput): boolean {
  switch (input.kind) {
    case "start":
      return estimateCharacters(input.reply) <= replyCharacters && estimateCharacters(input.options) <= stateCharacters;
    case "reply":
      return estimateCharacters(input.reply) <= replyCharacters && input.state.length <= stateCharacters;
    case "report":
    case "goBack":
    case "setVariables":
      return false;
    default:
      return input satisfies never;
  }
}

/**
 * Creates a clock for the processor time of this thread when a step starts. Reading the time is a system call (5 µs, up
 * to a tenth of a step), so it is read once per `inlineMs`. In between, all time since the last reading is assumed to
 * be processor time. The measured time of a step may therefore be too short, by at most `inlineMs`.
 */
function createProcessorTime(busyMs: () => number) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let busyThen = 0;
  return {
    about(moment: number): number {
      if (moment - askedAt <= inlineMs) return busyThen + moment - askedAt;
      askedAt = moment;
      busyThen = busyMs();
      return busyThen;
    },
  };
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/**
 * Returns whether a flow is small enough to run inline, and whether it contains an integration. A block cannot be
 * interrupted, so each block must be small. The variables, theme, settings and the number of inputs are limited too.
 * Compiling the largest such flow takes about five milliseconds.
 */
function sizeOf(flow: string, types: BlockTypes): "small" | "small, with an integration" | "large" {
  if (flow.length > flowCharacters) return "large";
  const { groups, variables, theme, settings }: FlowDocument = JSON.parse(flow);
  const blocks = groups.flatMap((group) => group.blocks ?? []);
  const families = blocks.map(({ type }) => types.get(type)?.family);
  const isSmall =
    families.filter((family) => family === "input").length <= maxInputs &&
    blocks.every((block) => lengthOf(block) <= blockCharacters) &&
    lengthOf(variables) <= blockCharacters &&
    lengthOf([theme, settings]) <= themeCharacters;
  if (!isSmall) return "large";
  return families.includes("integration") ? "small, with an integration" : "small";
}

/**
 * Returns the processor time of this thread. With the wall clock, the time of other processes of a busy machine would
 * be attributed to a step. Whole bots would then move to the worker threads exactly when worker threads are most
 * expensive. A step then took 650 instead of 455 µs of processor time, measured on two cores of which half was busy.
 */
function threadBusyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
