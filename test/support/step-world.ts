import { newSession } from "../../src/chat/new-session.ts";
import { createSessionCache } from "../../src/chat/reads/session-cache.ts";
import type { Claim, Session } from "../../src/chat/reads/sessions.sql.ts";
import type { ChatAnswer } from "../../src/chat/steps/answers-under-way.ts";
import type { LoadedSession, SessionSource } from "../../src/chat/steps/session-source.ts";
import { takeStep } from "../../src/chat/steps/take-step.ts";
import type { Threads } from "../../src/chat/threads/threads.ts";
import { readConfig } from "../../src/config.ts";
import type { Effect } from "../../src/core/interpreter/program/effect.ts";
import type { FinishedStep } from "../../src/core/tasks/messages.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { AppError } from "../../src/errors.ts";
import { noOrigins } from "../../src/management/access/origins.ts";
import { createKeyedLimiter } from "../../src/platform/concurrency/limiter.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { createVirtualClock } from "./virtual-clock.ts";

/**
 * A message with or without a key. A word that begins with `effect` requires an effect. A word that begins with `early`
 * requires an effect only in the first ten seconds. A word that ends with `refused` is rejected after its effect. A
 * word that begins with `stale` is rejected in the initial state of the session.
 */
export type Said = { readonly word: string; readonly isKeyed: boolean };

/**
 * When the statement of a broken connection runs: never, before the connection breaks, or after its client has given
 * up.
 */
export type Runs = "not at all" | "before" | "after";

/** The statements at which nodes lose their connection, and the statement at which the first node dies. */
type Faults = {
  readonly breaks: readonly { readonly node: number; readonly statement: number; readonly runs: Runs }[];
  readonly death: number | null;
};

type SavedStep = { readonly stepId: string; readonly key: string | null; readonly hash: string; readonly word: string };

const outage = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });
const claimTimes = { seconds: 15, renewMs: 5_000 };
const sql = connect("postgres://nobody@127.0.0.1:1/none", { connections: 1 });
const config = readConfig({ LOG_LEVEL: "silent" });

/** Creates a table with one session, and two nodes. Every statement of a node waits until the test releases it. */
export function openWorld({ breaks, death }: Faults) {
  const clock = createVirtualClock();
  const time = (): Date => new Date(clock.now());
  const pending: (() => void)[] = [];
  const steps: SavedStep[] = [];
  const reads: number[] = [];
  let runs = 0;
  const performed: { readonly url: string; readonly headers: unknown; readonly seed: string }[] = [];
  let claim: (Omit<Claim, "isLive" | "isFromFuture" | "stepId"> & { stepId: string; until: number }) | null = null;
  const born = newSession({
    ...{ botId: newId(), flowHash: "00", publicationNumber: 1, resultId: newId(), allowedOrigins: null },
    workspaceId: newId(),
    ...{ dialect: "bot", isAnonymous: false, hasEventEndpoints: false, now: time() },
  });
  const turn = (): Promise<void> => new Promise((resolve) => pending.push(resolve));
  const stored = (key: string | null): Session => {
    const replay = steps.find((step) => key !== null && step.key === key);
    return {
      ...born,
      revision: steps.length + 1,
      lastStepId: steps.at(-1)?.stepId ?? null,
      state: String(steps.length),
      now: time(),
      claim: claim && { ...claim, isLive: claim.until > clock.now(), isFromFuture: false },
      replay: replay
        ? { requestHash: replay.hash, response: JSON.stringify(replay), revision: steps.indexOf(replay) + 2 }
        : null,
    };
  };

  const openNode = (node: number) => {
    let statements = 0;
    const isDead = (): boolean => node === 0 && death !== null && statements > death;
    /** A statement waits before and after it runs, and its connection can break at either point. */
    const statement = async <Answer>(run: () => Answer): Promise<Answer> => {
      const number = statements++;
      const broken = breaks.find((one) => one.node === node && one.statement === number);
      await turn();
      if (broken?.runs === "after") void turn().then(run);
      if (broken && broken.runs !== "before") throw outage;
      const answer = isDead() ? new Promise<never>(() => {}) : run();
      await turn();
      if (broken) throw outage;
      return answer;
    };
    const finished = (word: string): FinishedStep => ({
      ...{ state: word, response: word, isEnded: false, answers: [], results: [], logs: [], jobs: [] },
      ...{ visitedEdgeIds: [], visitedBefore: 0 },
    });
    const threads: Threads = {
      async advance({ input, context }) {
        await turn();
        if (isDead()) return new Promise(() => {});
        if (input.kind === "start" || input.kind === "goBack" || input.kind === "setVariables")
          throw new Error("Nobody does this here");
        if (input.kind === "report") {
          const word = input.continuation;
          if (word.endsWith("refused")) return { kind: "refused", code: "command.not_found", data: {} };
          return { kind: "stepped", step: finished(word) };
        }
        runs++;
        const word = input.reply?.type === "text" ? input.reply.text : "";
        if (word.startsWith("stale") && input.state === "0")
          return { kind: "refused", code: "command.not_found", data: {} };
        const hasEffect = word.startsWith("effect") || (word.startsWith("early") && context.now < 10_000);
        if (!hasEffect) return { kind: "stepped", step: finished(word) };
        const effect: Effect = {
          ...{ kind: "http", method: "POST", headers: [], timeoutMs: 1_000, retries: 0 },
          ...{ url: `https://outside.example/${word}`, body: `${context.seed} ${context.now}` },
        };
        return { kind: "performing", effect, blockId: word, continuation: word };
      },
      advanceHere: () => undefined,
      inAnonymousLane: (_visitor, task) => task(),
      prove: () => Promise.reject(new Error("No thread holds test conversations here")),
      replay: () => Promise.reject(new Error("No thread replays chats here")),
      readBody: () => Promise.reject(new Error("No thread reads bodies here")),
      addressOf: () => Promise.reject(new Error("No thread finds addresses here")),
      usages: () => ({}),
      ready: async () => {},
      ping: async () => {},
      close: async () => {},
    };
    const databaseClock = { sync: () => {}, now: time };
    const deps = {
      ...createDependencies({ config, log: createLog("silent"), sql, threads, claimTimes }),
      clock,
      databaseClock,
      sessionCache: createSessionCache(databaseClock),
      stepLimiter: createKeyedLimiter({ width: 1, maxWaiting: 8, refuse: () => new AppError("session.busy"), clock }),
      reports: {
        find: () => statement(() => []),
        insert: () => statement(() => {}),
        delete: () => statement(() => {}),
      },
      async safeFetch({ url, headers, body = "" }: { url: string; headers: unknown; body?: string }) {
        performed.push({ url, headers, seed: body });
        await turn();
        return isDead() ? new Promise<never>(() => {}) : { status: 200, text: "{}" };
      },
    };
    // Each node has cached the session as an earlier step left it.
    const first = stored(null);
    deps.sessionCache.keep(first, first, null);
    const sourceOf = (key: string | null, word: string): SessionSource<LoadedSession> => ({
      limiterKey: born.id,
      async find({ mayBeCached }) {
        const cached = mayBeCached ? deps.sessionCache.find(born.id, key) : undefined;
        if (cached) return { session: cached, isCached: true };
        reads.push(clock.now());
        // A failed read fails the request, which the client then repeats.
        return { session: await statement(() => stored(key)), isCached: false };
      },
      taskFor: ({ session }, reply) => ({ input: { kind: "reply", state: session.state, reply } }),
      claimStatements: ({ session }, attempt) => ({
        take: () =>
          statement(() => {
            const isFree = claim === null || claim.until <= clock.now();
            if (!isFree || session.revision !== steps.length + 1) return false;
            claim = { ...attempt, until: clock.now() + claimTimes.seconds * 1_000 };
            return true;
          }),
        renew: () =>
          statement(() => {
            if (claim?.stepId !== attempt.stepId || claim.until <= clock.now()) return false;
            claim = { ...claim, until: clock.now() + claimTimes.seconds * 1_000 };
            return true;
          }),
        end: () =>
          statement(() => {
            if (claim?.stepId === attempt.stepId) claim = { ...claim, until: clock.now() };
          }),
      }),
      save: (_, step) =>
        statement(() => {
          const mayStep =
            claim === null || claim.stepId === step.stepId || (step.wasRead && claim.until <= clock.now());
          if (!mayStep || step.revision !== steps.length + 1) return false;
          steps.push({ stepId: step.stepId, key: step.key, hash: step.requestHash, word });
          claim = null;
          return true;
        }),
      isSaved: ({ stepId }) => statement(() => steps.some((step) => step.stepId === stepId)),
    });
    return ({ word, isKeyed }: Said): Promise<ChatAnswer> => {
      const key = isKeyed ? word : null;
      const request = { reply: { type: "text", text: word } as const, contentFormat: "richText" } as const;
      return takeStep(deps, sourceOf(key, word), { ...request, key, hash: word, origins: noOrigins, hops: noHops });
    };
  };
  return {
    ...{ clock, pending, steps, reads, performed },
    runs: () => runs,
    isClaimed: () => claim !== null && claim.until > clock.now(),
    nodes: [openNode(0), openNode(1)] as const,
  };
}

/** Releases statements in the order of the choices, and advances the clock if nothing else can happen. */
export async function play(world: ReturnType<typeof openWorld>, choices: readonly number[], isOver: () => boolean) {
  const { clock, pending } = world;
  for (let round = 0; !isOver() && round < 5_000; round++) {
    await clock.settle();
    const choice = choices[round % choices.length] ?? 0;
    const [next] = pending.length === 0 ? [] : pending.splice(choice % pending.length, 1);
    if (next) next();
    else await clock.advance(250);
  }
  await clock.settle();
}
