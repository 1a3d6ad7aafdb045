import { LRUCache } from "lru-cache";
import type { BlockDefinition } from "../interpreter/block.ts";
import type { StartOptions } from "../interpreter/start.ts";
import type { Reply } from "../interpreter/state.ts";
import { limits } from "../limits.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramName, TaskInput } from "./messages.ts";
import { createProgramCache } from "./program-cache.ts";
import { think } from "./think.ts";

/**
 * Thinks small steps through where they are asked for. Most take 10 µs, and their way to a thread and back 30 µs of processor
 * time and half a millisecond (32 concurrent conversations, two cores, Bun 1.4.4: 10,700 instead of 8,800 steps/s). Whatever
 * could hold up who else is served here is a thread's: scripts, large flows, states and replies, and what takes longer than
 * it should.
 */
export type OnTheSpot = {
  /** Undefined: the step is for a thread, and nothing has come of it here. `loadFlow` may be asked for its flow. */
  think(task: AdvanceTask, loadFlow: (name: ProgramName) => Promise<string>): AdvanceAnswer | undefined;
};

/** What is known of a program. */
type Standing = {
  /** Steps since its flow was last asked for. */
  uses: number;
  isLoading: boolean;
  /** Grows with each step that was done here, and falls with each that was not. */
  credit: number;
  /** Until when its steps go to threads without being tried. */
  restsUntil: number;
};

export function createOnTheSpot(blocks: ReadonlyMap<string, BlockDefinition>): OnTheSpot {
  const cache = createProgramCache(limits.spotCacheCharacters);
  const standings = new LRUCache<string, Standing>({ max: limits.spotPrograms });
  const standingOf = (key: string): Standing => {
    const known = standings.get(key);
    if (known) return known;
    const fresh = { uses: 0, isLoading: false, credit: limits.spotCredit, restsUntil: 0 };
    standings.set(key, fresh);
    return fresh;
  };
  /** Compiles the programs that are used again and again; the threads have theirs. */
  const learn = async (
    standing: Standing,
    name: ProgramName,
    loadFlow: (name: ProgramName) => Promise<string>,
  ): Promise<void> => {
    if (standing.isLoading || ++standing.uses < limits.spotUses) return;
    standing.isLoading = true;
    standing.uses = 0;
    try {
      const flow = await loadFlow(name);
      if (flow.length > limits.spotFlowCharacters) standing.restsUntil = Number.POSITIVE_INFINITY;
      else cache.add({ ...name, flow });
    } catch {
      // The step itself needs the flow as well, and tells why there is none.
    } finally {
      standing.isLoading = false;
    }
  };
  const judge = (standing: Standing, isWorthIt: boolean): void => {
    standing.credit = isWorthIt
      ? Math.min(standing.credit + 1, limits.spotCredit)
      : standing.credit - limits.spotMissCost;
    if (standing.credit >= 0) return;
    standing.credit = 0;
    standing.restsUntil = performance.now() + limits.spotRestMs;
  };

  return {
    think(task, loadFlow) {
      const standing = standingOf(task.program.key);
      const begun = performance.now();
      if (standing.restsUntil > begun || !isSmall(task.input)) return undefined;
      if (!cache.get(task.program.key)) {
        void learn(standing, task.program, loadFlow);
        return undefined;
      }
      const isTimeUp = (): boolean => performance.now() - begun > limits.spotMs;
      const answer = think({ blocks, cache, runScript }, task, { allowance: limits.spotVisit, isTimeUp });
      const isDone = answer.kind !== "tooLong" && answer.kind !== "unknown_programs";
      judge(standing, isDone && !isTimeUp());
      return isDone ? answer : undefined;
    },
  };
}

/** The allowance has no ticks: a step ends before its first script. */
function runScript(): never {
  throw new Error("No script runs on the spot");
}

/** What searching a reply costs, and reading a state, follows their length. What came of an effect may be of any size. */
function isSmall(input: TaskInput): boolean {
  switch (input.kind) {
    case "start":
      return (
        lengthOf(input.reply) <= limits.spotReplyCharacters && lengthOf(input.options) <= limits.spotStateCharacters
      );
    case "reply":
      return lengthOf(input.reply) <= limits.spotReplyCharacters && input.state.length <= limits.spotStateCharacters;
    case "report":
      return false;
    default:
      return input satisfies never;
  }
}

function lengthOf(value: Reply | StartOptions | null): number {
  return JSON.stringify(value).length;
}
