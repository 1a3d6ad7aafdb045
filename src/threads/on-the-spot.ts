import { LRUCache } from "lru-cache";
import type { BlockDefinition } from "../interpreter/block.ts";
import type { RunScript } from "../interpreter/script.ts";
import type { StartOptions } from "../interpreter/start.ts";
import type { Reply } from "../interpreter/state.ts";
import { StepTooLong } from "../step-errors.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramName, TaskInput } from "./messages.ts";
import { createProgramCache } from "./program-cache.ts";
import { isFitForTheSpot } from "./spot-fitness.ts";
import { think } from "./think.ts";

/**
 * What a step may spend here, where everybody waits for it: several times what most need; its scripts take about a
 * millisecond. `parsed` is the longest value that is read as markdown.
 */
export const spotVisit = { blocks: 500, ticks: 300_000, characters: 64 * 1024, parsed: 500 };

/**
 * A step that takes longer ends at the next block, comparison or inserted value. The sizes below and in `spot-fitness.ts` bound
 * what one of these may meet, so that it takes milliseconds; compiling takes about five.
 */
export const spotMs = 5;
const flowCharacters = 512 * 1024;
export const stateCharacters = 8 * 1024;
export const replyCharacters = 500;

/** Steps of a program until it is compiled here as well, and the pause between two compilations. */
export const usesToCompile = 3;
const compilePauseMs = 50;

/** Compiled programs that are kept, by the size of their flows. */
const cacheCharacters = 8 * 1024 * 1024;

/** Programs, and bots, that something is remembered of. */
const maxRemembered = 10_000;

/**
 * A bot of which more than one step in five is tried here in vain goes to threads untried for a while; sooner when its steps
 * take long, at once after 25 ms.
 */
export const maxCredit = 20;
export const missCost = 4;
const restMs = 60_000;

/**
 * Thinks small steps through where they are asked for. Most take 10 µs, and their way to a thread and back 30 µs of processor
 * time and half a millisecond (32 concurrent conversations, two cores, Bun 1.4.4: 10,700 instead of 8,800 steps/s). Whatever
 * could hold up who else is served here is a thread's: integrations, large flows, states and replies, scripts of more than a
 * millisecond, and what takes longer than it should.
 */
export type OnTheSpot = {
  /** Undefined: the step is for a thread, and nothing has come of it here. `loadFlow` may be asked for its flow. */
  think(task: AdvanceTask, loadFlow: (name: ProgramName) => Promise<string>): AdvanceAnswer | undefined;
};

/** How often a program was used since its flow was last asked for, and whether it is one for threads by its size. */
type Use = { count: number; isLoading: boolean; isUnfit: boolean };

/**
 * What is known of a bot's steps. `credit` grows with each that was done here and falls with each that was not, or took long.
 * `restsUntil`: until then they go to threads without being tried.
 */
type Standing = { credit: number; restsUntil: number };

/** What small steps are thought through with. */
export type SpotTools = {
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  /** A sandbox of this thread's own. It bounds each script by what it does, and costs 40 MB: it is made for the first script. */
  createSandbox(): Promise<RunScript>;
};

export function createOnTheSpot({ blocks: definitions, createSandbox }: SpotTools): OnTheSpot {
  const sandbox = madeForTheFirst(createSandbox);
  const blocks = new Map([...definitions].map(([type, block]) => [type, withoutIntegration(block)]));
  const cache = createProgramCache(cacheCharacters, blocks);
  const uses = new LRUCache<string, Use>({ max: maxRemembered });
  const standings = new LRUCache<string, Standing>({ max: maxRemembered });
  let learntAt = Number.NEGATIVE_INFINITY;

  /** Compiles what is used again and again; the threads have theirs. With too many programs it is one now and then. */
  const learn = async (name: ProgramName, loadFlow: (name: ProgramName) => Promise<string>): Promise<void> => {
    const use = kept(uses, name.key, { count: 0, isLoading: false, isUnfit: false });
    if (use.isLoading || use.isUnfit || ++use.count < usesToCompile) return;
    if (performance.now() - learntAt < compilePauseMs) return;
    learntAt = performance.now();
    use.isLoading = true;
    use.count = 0;
    try {
      const flow = await loadFlow(name);
      use.isUnfit = flow.length > flowCharacters || !isFitForTheSpot(JSON.parse(flow), blocks);
      if (!use.isUnfit) cache.add({ ...name, flow });
    } catch {
      // The step itself needs the flow as well, and tells why there is none.
    } finally {
      use.isLoading = false;
    }
  };
  const judge = (standing: Standing, isDone: boolean, tookMs: number): void => {
    const isWorthIt = isDone && tookMs <= spotMs;
    if (isWorthIt) standing.credit = Math.min(standing.credit + 1, maxCredit);
    else standing.credit -= missCost * Math.max(1, tookMs / spotMs);
    if (standing.credit >= 0) return;
    standing.credit = 0;
    standing.restsUntil = performance.now() + restMs;
  };

  return {
    think(task, loadFlow) {
      const { key, botId } = task.program;
      const standing = kept(standings, botId, { credit: maxCredit, restsUntil: 0 });
      const begun = performance.now();
      if (standing.restsUntil > begun || !isSmall(task.input)) return undefined;
      if (!cache.get(key)) {
        void learn(task.program, loadFlow);
        return undefined;
      }
      const isTimeUp = (): boolean => performance.now() - begun > spotMs;
      const answer = think({ blocks, cache, runScript: sandbox.runScript }, task, {
        allowance: spotVisit,
        isTimeUp,
      });
      if (answer.kind === "unknown_programs") {
        for (const name of answer.names) if (!cache.get(name.key)) void learn(name, loadFlow);
        return undefined;
      }
      const isDone = answer.kind !== "tooLong";
      // A script that came before its sandbox says nothing of its bot.
      if (isDone || !sandbox.isInTheMaking) judge(standing, isDone, performance.now() - begun);
      return isDone ? answer : undefined;
    },
  };
}

type Sandbox = { readonly runScript: RunScript; isInTheMaking: boolean };

/** Scripts are the threads' until there is a sandbox here, and where none can be made. */
function madeForTheFirst(createSandbox: () => Promise<RunScript>): Sandbox {
  let made: RunScript | undefined;
  let isWanted = false;
  const sandbox: Sandbox = {
    isInTheMaking: false,
    runScript(request) {
      if (made) return made(request);
      if (!isWanted) void make();
      throw new StepTooLong();
    },
  };
  const make = async (): Promise<void> => {
    isWanted = true;
    sandbox.isInTheMaking = true;
    try {
      made = await createSandbox();
    } catch {
      // The threads have theirs.
    } finally {
      sandbox.isInTheMaking = false;
    }
  };
  return sandbox;
}

function kept<Value extends object>(cache: LRUCache<string, Value>, key: string, fresh: Value): Value {
  const known = cache.get(key);
  if (known) return known;
  cache.set(key, fresh);
  return fresh;
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
function isSmall(input: TaskInput): boolean {
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
