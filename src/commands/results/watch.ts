import { StartError } from "../../config.ts";
import { findBot } from "../bots/find-bot.ts";
import type { Tools } from "../command.ts";
import { timeText } from "../output/table.ts";
import { openCalls, openService, RefusedCall, type Service } from "../service.ts";
import { type FilterOptions, filterQuery } from "./filter.ts";
import { pagesOf, type Result, stateOf, valuesOf } from "./list.ts";

export type WatchOptions = FilterOptions & {
  readonly every: number;
  readonly count?: number;
  readonly json?: true;
};

/**
 * Prints each change of a result's state after the command started: when the result is created, gets its first answer
 * or is completed.
 */
export async function watchResults(tools: Tools, bot: string, { every, count, json, ...options }: WatchOptions) {
  const botId = await findBot(openCalls(options, tools.environment), bot);
  const look = watcher(openService(options, tools.environment), botId, filterQuery(options));
  await look();
  tools.tell("Watching. Press Ctrl-C to end.");
  let isAway = false;
  for (let lines = 0; lines !== count; await Bun.sleep(every * 1_000)) {
    const changed = await look().catch((error: unknown) => {
      // The command continues after a restart of the service, but ends if the token or the bot is deleted.
      if (!(error instanceof StartError) || (error instanceof RefusedCall && error.status < 500)) throw error;
      if (!isAway) tools.tell(`${error.message} Trying again ...`);
      return undefined;
    });
    isAway = changed === undefined;
    for (const [event, result] of changed ?? []) {
      tools.print(json ? `${JSON.stringify({ event, result })}\n` : lineOf(event, result));
      lines++;
      if (lines === count) return;
    }
  }
}

/** The number of results whose state is remembered, which is far more than can still change. */
const mostKnown = 10_000;

type State = ReturnType<typeof stateOf>;
type Change = readonly [State, Result];

/**
 * Returns a function that reads the newest results and returns the changes since its last call, oldest first. The first
 * call returns the results of the first page.
 */
function watcher(ask: Service, botId: string, query: URLSearchParams) {
  const known = new Map<string, State>();
  /**
   * The creation time of the oldest result of the first page. Older results may appear on a page when other results are
   * deleted, and are not reported as new.
   */
  let floor: string | undefined;
  return async (): Promise<Change[]> => {
    const changed: Result[] = [];
    for await (const page of pagesOf(ask, botId, query)) {
      const isFirst = floor === undefined;
      if (isFirst) floor = page.at(-1)?.createdAt ?? "";
      const met = page.filter(({ id }) => known.has(id));
      changed.push(...page.filter((result) => isFirst || isNews(result, { known, floor })));
      if (isFirst || met.length > 0) break;
    }
    const changes = changed.toReversed().flatMap((result) => changesOf(result, known.get(result.id)));
    for (const result of changed) {
      known.delete(result.id);
      known.set(result.id, stateOf(result));
    }
    for (const id of known.keys()) {
      if (known.size <= mostKnown) break;
      known.delete(id);
    }
    return changes;
  };
}

/**
 * Returns the states that a result has reached since the last reading. A short chat may reach several states between
 * two readings.
 */
function changesOf(result: Result, before: State | undefined): Change[] {
  const now = stateOf(result);
  const come = [...new Set<State>(["started", ...(result.hasStarted ? (["answered"] as const) : []), now])];
  const at = before === undefined ? -1 : come.indexOf(before);
  // A visitor who goes back returns the result to an earlier state.
  const news = before === undefined || at >= 0 ? come.slice(at + 1) : [];
  return (news.length > 0 ? news : [now]).map((state) => [state, result]);
}

function isNews(
  result: Result,
  { known, floor = "" }: { known: ReadonlyMap<string, State>; floor: string | undefined },
) {
  const before = known.get(result.id);
  return before === undefined ? result.createdAt >= floor : before !== stateOf(result);
}

function lineOf(event: State, result: Result): string {
  return `${timeText(result.createdAt)}  ${result.id}  ${event.padEnd(9)}  ${valuesOf(result)}`.trimEnd().concat("\n");
}
