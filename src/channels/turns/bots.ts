import { LRUCache } from "lru-cache";
import { judgeStart } from "../../core/channels/start-condition.ts";
import { matchesPattern } from "../../core/interpreter/evaluation/expression.ts";
import { valueAt } from "../../core/interpreter/flow.ts";
import type { RunScript } from "../../core/interpreter/language/script.ts";
import type { OpenConnection } from "../../management/channels/open-connections.ts";
import { createBatcher } from "../../platform/concurrency/batcher.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { createSandbox } from "../../platform/sandbox/index.ts";
import { type AskedBot, findMessengerSettings, listAskedBots } from "./bots.sql.ts";

export type ChosenBot = Pick<AskedBot, "id" | "publicId" | "remembersUser"> & {
  /** A chat ends after this many hours without a message. */
  readonly expiryHours: number;
};

/** Chooses the bot that answers a first message. */
export type BotChooser = {
  /**
   * Returns the first bot whose condition matches, otherwise the first bot without a condition, otherwise no bot. A
   * link can name one of these bots, regardless of the bot's condition.
   */
  choose(
    connection: OpenConnection,
    first: { readonly text: string | undefined; readonly named?: string | undefined },
  ): Promise<Choice>;
};

/** `stopped`: the id of the first bot whose pattern took too long and therefore did not match. */
export type Choice = { readonly bot?: ChosenBot | undefined; readonly stopped?: string | undefined };

type Candidate = ChosenBot & { readonly condition: unknown };

export function createBotChooser(sql: Sql): BotChooser {
  const settings = new LRUCache<string, { readonly value: unknown }>({ max: 2_000 });
  const messengerOf = async ({ id: botId, flowHash }: AskedBot): Promise<unknown> => {
    const key = `${botId} ${flowHash}`;
    const known = settings.get(key);
    if (known) return known.value;
    const value = await findMessengerSettings(sql, { botId, flowHash });
    settings.set(key, { value });
    return value;
  };
  const lists = createBatcher<OpenConnection, readonly AskedBot[]>({
    run: (asked) => listShared(sql, asked),
    isTriedAlone: () => false,
    ...{ maxBatch: 50, inFlight: 2, maxWaiting: 10_000 },
  });
  return {
    async choose(connection, { text, named }) {
      const entries = connection.bots;
      const listed = listedIn(connection);
      const bots = await lists.add(connection);
      const inList = entries.flatMap((entry) => {
        const bot = entry.isEnabled ? bots.find(({ id }) => id === entry.botId) : undefined;
        return bot ? [{ bot, entry }] : [];
      });
      const after = bots
        .filter(({ id, isNaming }) => isNaming && !listed.includes(id))
        .map((bot) => ({ bot, entry: undefined }));
      const candidates: Candidate[] = [];
      for (const { bot, entry } of [...inList, ...after]) {
        const messenger = await messengerOf(bot);
        if (valueAt(messenger, "isEnabled") !== true) continue;
        const candidate = {
          ...{ id: bot.id, publicId: bot.publicId, remembersUser: bot.remembersUser },
          expiryHours: hoursOf(entry?.sessionExpiryTimeout ?? valueAt(messenger, "sessionExpiryTimeout")),
          condition: entry?.startCondition ?? valueAt(messenger, "startCondition"),
        };
        if (named !== undefined && bot.publicId.toLowerCase() === named.toLowerCase()) return { bot: candidate };
        candidates.push(candidate);
      }
      return await firstOf(candidates, text);
    },
  };
}

/** Reads the bots of each connection once, since many contacts of a connection may write at the same time. */
async function listShared(sql: Sql, asked: readonly OpenConnection[]): Promise<readonly (readonly AskedBot[])[]> {
  const reads = new Map(
    [...new Set(asked)].map((connection) => {
      const { id: connectionId, workspaceId } = connection;
      return [connection, listAskedBots(sql, { connectionId, workspaceId, listed: listedIn(connection) })];
    }),
  );
  return await Promise.all(asked.map((connection) => reads.get(connection) ?? []));
}

function listedIn({ bots }: OpenConnection): readonly string[] {
  return bots.map(({ botId }) => botId);
}

async function firstOf(candidates: readonly Candidate[], text: string | undefined): Promise<Choice> {
  const runScript = candidates.some(({ condition }) => hasPattern(condition)) ? await sandbox() : undefined;
  let ticks = patternTicks;
  let stopped: string | undefined;
  const judge = ({ id, condition }: Candidate) =>
    judgeStart(condition, text, (pattern, tested) => {
      if (!runScript) return undefined;
      return matchesPattern(pattern, tested, (request) => {
        const outcome = runScript({ ...request, now: 0, seed: "0".repeat(32), maxTicks: Math.max(1, ticks) });
        ticks -= outcome.ticks;
        if (outcome.kind === "timeout") stopped ??= id;
        return outcome;
      });
    });
  const judged = candidates.map((bot) => ({ bot, verdict: judge(bot) }));
  const holding = judged.find(({ verdict }) => verdict === "holds") ?? judged.find(({ verdict }) => verdict === "any");
  return { bot: holding?.bot, stopped };
}

/** The limit of work for all patterns of one message, which takes about a tenth of a second. */
const patternTicks = 40_000_000;
let loading: Promise<RunScript> | undefined;

/** Creates the sandbox when the first pattern is used, because a sandbox takes 40 MB. */
function sandbox(): Promise<RunScript> {
  loading ??= createSandbox();
  return loading;
}

function hasPattern(condition: unknown): boolean {
  const comparisons = valueAt(condition, "comparisons");
  return (
    Array.isArray(comparisons) &&
    comparisons.some((one) => /regex/i.test(String(valueAt(one, "comparisonOperator") ?? "")))
  );
}

const defaultHours = 4;

function hoursOf(stored: unknown): number {
  const hours = typeof stored === "number" && Number.isFinite(stored) && stored > 0 ? stored : defaultHours;
  return Math.min(48, Math.max(0.01, hours));
}
