import { LRUCache } from "lru-cache";
import type { BlockDefinition } from "../interpreter/block.ts";
import type { RunScript } from "../interpreter/script.ts";
import type { StartOptions } from "../interpreter/start.ts";
import type { Reply } from "../interpreter/state.ts";
import { StepTooLong } from "../step-errors.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramName, TaskInput } from "./messages.ts";
import { createMeter, type Quota } from "./meter.ts";
import { createProgramCache } from "./program-cache.ts";
import { runTask } from "./run-task.ts";
import { isSmallFlow } from "./small-flows.ts";

/** What a step may spend inline, where everybody waits for it: several times what most need. Its scripts take about a millisecond. */
export const inlineQuota: Quota = {
  blocks: 500,
  scriptTicks: 300_000,
  characters: 64 * 1024,
  markdownCharacters: 500,
};

/** A step that keeps this thread busy for longer ends at the next thing it spends. */
export const inlineMs = 5;
export const stateCharacters = 8 * 1024;
export const replyCharacters = 500;

/** Pause between two compilations: with too many programs for the cache they take a tenth of this thread at most. */
export const compilePauseMs = 50;

/** Compiled programs that are kept, by the size of their flows. */
const cacheCharacters = 8 * 1024 * 1024;

/** Programs, and bots, that something is remembered of. */
const maxRemembered = 10_000;

/** What a step that runs inline saves: its way to a thread and back, in processor time. */
const wayToThreadMs = 0.03;

/** This thread's time that a bot's steps may waste, beyond what others of its steps saved, until it goes to the threads for a while. */
export const maxWasteMs = 20;
const restMs = 60_000;

/**
 * Runs small steps where they are asked for. Most take 10 µs, their way to a thread and back 30 µs of processor time and half a
 * millisecond (32 concurrent conversations, two cores, Bun 1.4.4: 10,700 instead of 8,800 steps/s).
 *
 * A program is unknown until one of its steps comes; then its flow is loading, and it is ready, or too large for good. A step runs
 * inline when its program is ready, its input small and its bot not resting. It may come to nothing there (`StepTooLong`: it
 * spends too much, or wants an integration), and then runs on a thread. What that wastes is added to the bot's waste, what other
 * steps save is taken off; a bot whose waste is too much rests, and begins anew after a minute.
 */
export type InlineRunner = {
  /** Undefined: the step is for a thread, and nothing has come of it here. `loadFlow` may be asked for its flow. */
  run(task: AdvanceTask, loadFlow: (name: ProgramName) => Promise<string>): AdvanceAnswer | undefined;
};

export type InlineTools = {
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  /** A sandbox of this thread's own. It bounds each script by its ticks, and takes 40 MB: it is made for the first script. */
  createSandbox(): Promise<RunScript>;
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
  let compiledAt = Number.NEGATIVE_INFINITY;

  const load = async (name: ProgramName, loadFlow: (name: ProgramName) => Promise<string>): Promise<void> => {
    if (notReady.has(name.key) || now() - compiledAt < compilePauseMs) return;
    compiledAt = now();
    notReady.set(name.key, "loading");
    try {
      const flow = await loadFlow(name);
      if (isSmallFlow(flow, blocks)) cache.add({ ...name, flow });
      else notReady.set(name.key, "too large");
    } catch {
      // The step itself needs the flow as well, and tells why there is none.
    } finally {
      if (notReady.get(name.key) === "loading") notReady.delete(name.key);
    }
  };
  const count = (cost: BotCost, { isDone, tookMs }: { isDone: boolean; tookMs: number }): void => {
    const wasted = isDone ? Math.max(0, tookMs - inlineMs) - wayToThreadMs : tookMs;
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
  return {
    run(task, loadFlow) {
      const { key, botId } = task.program;
      const cost = costOf(botId);
      const begun = now();
      const busyBegun = busyMs();
      if (cost.restsUntil > begun || !isSmallInput(task.input)) return undefined;
      if (!cache.get(key)) {
        void load(task.program, loadFlow);
        return undefined;
      }
      const meter = createMeter(inlineQuota, () => now() - begun > inlineMs && busyMs() - busyBegun > inlineMs);
      const answer = runTask({ blocks, cache, runScript: sandbox.runScript }, task, meter);
      if (answer.kind === "unknown_programs") {
        for (const name of answer.names) if (!cache.get(name.key)) void load(name, loadFlow);
        return undefined;
      }
      const isDone = answer.kind !== "tooLong";
      // A script that came before its sandbox says nothing of its bot.
      if (isDone || !sandbox.isLoading()) count(cost, { isDone, tookMs: busyMs() - busyBegun });
      return isDone ? answer : undefined;
    },
  };
}

type LazySandbox = { readonly runScript: RunScript; isLoading(): boolean };

/** Scripts are for threads until there is a sandbox here, and where none can be made. */
function createLazySandbox(createSandbox: () => Promise<RunScript>): LazySandbox {
  let runScript: RunScript | undefined;
  let state: "not asked for" | "loading" | "loaded" = "not asked for";

  const load = async (): Promise<void> => {
    state = "loading";
    try {
      runScript = await createSandbox();
    } catch {
      // The threads have theirs.
    } finally {
      state = "loaded";
    }
  };
  return {
    isLoading: () => state === "loading",
    runScript(request) {
      if (runScript) return runScript(request);
      if (state === "not asked for") void load();
      throw new StepTooLong();
    },
  };
}

/** An integration wants something of the world or of the browser: its steps take their time anyway. */
function withoutIntegration(block: BlockDefinition): BlockDefinition {
  if (block.family !== "integration") return block;
  const prepare = (): never => {
    throw new StepTooLong();
  };
  return { ...block, prepare };
}

/** What searching a reply costs, and reading a state, follows their length. What came of an effect may be of any size. */
function isSmallInput(input: TaskInput): boolean {
  switch (input.kind) {
    case "start":
      return lengthOf(input.reply) <= replyCharacters && lengthOf(input.options) <= stateCharacters;
    case "reply":
      return lengthOf(input.reply) <= replyCharacters && input.state.length <= stateCharacters;
    case "report":
      return false;
    default:
      return input satisfies never;
  }
}

function lengthOf(value: Reply | StartOptions | null): number {
  return JSON.stringify(value).length;
}

/**
 * This thread's own time: on a busy machine the clock counts against a step what others do, and sent whole bots to the threads just
 * when they cost most (650 instead of 455 µs of processor time a step; two cores that others took half of).
 */
function threadBusyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
