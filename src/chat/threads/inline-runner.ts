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
 * Quota of a step on this thread, where all requests wait for it: several times the need of most steps, and a
 * millisecond of scripts.
 */
export const inlineQuota: Quota = {
  blocks: 500,
  scriptTicks: 300_000,
  characters: 64 * 1024,
  markdownCharacters: 500,
};

/**
 * A step that keeps this thread busy for longer stops when it next spends from its quota, and is run from its beginning
 * on a thread.
 */
export const inlineMs = 5;
export const stateCharacters = 8 * 1024;
export const replyCharacters = 500;

/** Bounds of a flow that runs here. */
const flowCharacters = 512 * 1024;
export const blockCharacters = 16 * 1024;
export const themeCharacters = 64 * 1024;
const maxInputs = 200;

/**
 * Pause between two compilations, beyond the first `compileBurst`. Without it they take more than a tenth of this
 * thread when programs overflow the cache.
 */
export const compilePauseMs = 50;
export const compileBurst = 4;

/** Bound of the program cache, by the size of flows. */
const cacheCharacters = 8 * 1024 * 1024;

/** Bound of the maps of programs and of bots. */
const maxRemembered = 10_000;

/** Processor time that a step saves inline: the round trip to a thread. */
const roundTripMs = 0.03;

/** A bot whose steps wasted more of this thread's time than its other steps saved runs on the threads for `restMs`. */
export const maxWasteMs = 20;
const restMs = 60_000;

/**
 * Runs small steps on this thread. Most take 7 µs in a loop, and about 20 in the service; the round trip to another
 * thread takes 30 µs of processor time and half a millisecond (32 concurrent conversations, two cores, Bun 1.4.4:
 * 10,700 instead of 8,800 steps/s).
 *
 *     program: unknown ─ a step comes ─→ loading ─→ ready, or too large for good; unknown again where loading failed
 *     bot:     running ─ its waste exceeds `maxWasteMs` ─→ resting ─ after `restMs` ─→ running, without waste
 *
 * A step runs inline when its program is ready, its input is small and its bot is not resting. If it exceeds its quota
 * or meets an integration (`StepTooLong`), it begins again on a thread, and the time it took here is waste. Steps that
 * succeed reduce the waste.
 */
export type InlineRunner = {
  /** Undefined: the step must run on a thread. `loadFlow` may be called even then, for later steps. */
  run(task: AdvanceTask, loadFlow: (name: ProgramName) => Promise<string>): AdvanceAnswer | undefined;
  /**
   * After `run` returned undefined: resolves when the missing flow or sandbox is loaded. Undefined: the step lacked
   * neither.
   */
  preparing(task: AdvanceTask): Promise<unknown> | undefined;
};

export type InlineTools = {
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  /** A sandbox for this thread. Until it is loaded, or if it fails to load, steps with scripts run on threads. */
  createSandbox(): Promise<RunScript>;
  /** Called when a flow with an integration is loaded: its steps will need a thread. */
  onIntegration?(): void;
  /** For tests. */
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
  /** When the next compilation is due, unless one is due earlier. */
  let compilesFrom = Number.NEGATIVE_INFINITY;

  /** Undefined: the flow is too large, or too many were compiled just now. */
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
      // The step also loads the flow, and reports why this fails.
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
      // A step that is short by the clock used no more processor time: skipping the second clock saves 0.3 µs.
      const wasShort = isDone && now() - begun <= inlineMs;
      // A script ends its step while the sandbox loads: that does not count as the bot's waste.
      if (isDone || !sandbox.isLoading()) addCost(cost, { isDone, tookMs: wasShort ? 0 : busyMs() - busyBegun });
      if (!isDone && sandbox.isLoading()) prepare(task, [sandbox.load().catch(() => {})]);
      return isDone ? answer : undefined;
    },
  };
}

/**
 * Steps with an integration wait for other servers or the browser, so that a round trip to a thread does not matter.
 */
function withoutIntegration(block: BlockDefinition): BlockDefinition {
  if (block.family !== "integration") return block;
  const prepare = (): never => {
    throw new StepTooLong();
  };
  return { ...block, prepare };
}

/**
 * The cost of searching a reply and of reading a state grows with their length. Reports of effects may be of any size.
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
 * The processor time of this thread at a moment, for a step that begins at that moment. The clock is a system call (5
 * µs, as much as a tenth of a step), so it is read once in `inlineMs`; in between, the time since the last reading
 * counts as busy. A step thus looks less busy, by `inlineMs` at most.
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
 * Whether a flow is small enough to run inline. A block cannot be interrupted, so each must be small, and so must
 * variables, theme, settings and the number of inputs. Compiling the largest of these flows takes about five
 * milliseconds.
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
 * This thread's processor time. With the wall clock, other processes of a busy machine would count against a step, and
 * whole bots would move to the threads just when these cost most (650 instead of 455 µs of processor time a step; two
 * cores, half of them taken).
 */
function threadBusyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
