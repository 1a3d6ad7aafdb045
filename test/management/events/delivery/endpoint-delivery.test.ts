import { expect, test } from "bun:test";
import { type Arbitrary, array, asyncProperty, assert as check, constantFrom, integer, record } from "fast-check";
import { FailedCall, type SafeFetch } from "../../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../../src/limits/index.ts";
import type { AttemptOutcome } from "../../../../src/management/events/delivery/attempts.ts";
import { createCallBudget } from "../../../../src/management/events/delivery/call-budget.ts";
import { createEndpointDelivery } from "../../../../src/management/events/delivery/endpoint-delivery.ts";
import type { EventStore } from "../../../../src/management/events/delivery/event-store.ts";
import { createLaneLeases } from "../../../../src/management/events/delivery/lane-leases.ts";
import { laneCount } from "../../../../src/management/events/delivery/lanes.sql.ts";
import { createEventMetrics } from "../../../../src/management/events/delivery/metrics.ts";
import type { DueMessage } from "../../../../src/management/events/delivery/queue.sql.ts";
import type { DeliveryStatus } from "../../../../src/management/events/event-deliveries.sql.ts";
import { createBatcher } from "../../../../src/platform/concurrency/batcher.ts";
import { pause } from "../../../../src/platform/concurrency/clock.ts";
import { createLimiter } from "../../../../src/platform/concurrency/limiter.ts";
import { maySucceedAlone } from "../../../../src/platform/database/primary/outage.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { databaseError } from "../../../support/database-errors.ts";
import { testSecret, testSecrets } from "../../../support/events.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";

/**
 * The outcomes of a statement: it fails, succeeds while its response is lost, conflicts with another statement, is
 * slow, or succeeds.
 */
const statementFates = ["refused", "lost", "interrupted", "slow", "done", "done"] as const;
const callFates = [200, 200, 200, 400, 429, 503, 503, 503, "broken", "slow"] as const;
const turnFates = ["stay", "stay", "stay", "stay", "lose", "leave"] as const;

type Story = {
  readonly chats: number;
  readonly eventsOfChat: number;
  readonly atOnce: number;
  readonly batchSize: number;
  readonly statements: readonly (typeof statementFates)[number][];
  readonly calls: readonly (typeof callFates)[number][];
  readonly turns: readonly (typeof turnFates)[number][];
};

const some = <Fate>(fates: readonly Fate[], maxLength: number): Arbitrary<Fate[]> =>
  array(constantFrom(...fates), { maxLength, size: "max" });

const stories: Arbitrary<Story> = record({
  chats: integer({ min: 1, max: 24 }),
  eventsOfChat: integer({ min: 1, max: 4 }),
  atOnce: integer({ min: 1, max: 10 }),
  batchSize: constantFrom(1, 1, 3),
  statements: some(statementFates, 30),
  calls: some(callFates, 40),
  turns: some(turnFates, 20),
});

const endpointId = "endpoint";
const lanes = Array.from({ length: laneCount }, (_, lane) => ({ endpointId, lane }));
const turnMs = 500;
/** The pauses are short, because longer pauses would only make the test slower. */
const retryMs = 1_000;
const pauseMs = 2_000;
/** Every list of planned outcomes is used up after this many turns. */
const mostTurns = 500;

type Stored = DueMessage & { status: DeliveryStatus; dueAt: number; attempts: number; lastStatusCode: number | null };

/** Simulates the tables of events and their endpoint, and the effect of each statement. */
function createTables(clock: VirtualClock, story: Story) {
  const fates = [...story.statements];
  const endpoint: { pausedUntil: number; unreachableJobs: number; failingSince: Date | null } = {
    ...{ pausedUntil: 0, unreachableJobs: 0 },
    failingSince: null,
  };
  const messages = Array.from({ length: story.chats * story.eventsOfChat }, (_, index): Stored => {
    const chat = index % story.chats;
    const id = `message-${index}`;
    const ids = { id, botId: "b", resultId: "r", sessionId: `chat-${chat}`, orderKey: `chat-${chat}` };
    const rest = { lane: chat % laneCount, content: {}, attempts: 0, lastStatusCode: null, createdAt: new Date(0) };
    return { ...ids, ...rest, type: "result.answered", status: "pending", dueAt: 0 };
  });
  const pendingOf = (key: string) =>
    messages.filter(({ orderKey, status }) => orderKey === key && status === "pending");
  const dueFirsts = () =>
    [...new Set(messages.map(({ orderKey }) => orderKey))].flatMap((key) => {
      const [first] = pendingOf(key);
      return first && first.dueAt <= clock.now() ? [first] : [];
    });
  const isPaused = () => endpoint.pausedUntil > clock.now();
  const statement = async <Answer>(effect: () => Answer): Promise<Answer> => {
    const fate = fates.shift() ?? "done";
    if (fate === "slow") await pause(clock, 3 * turnMs);
    if (fate === "refused") throw databaseError("53300", { message: fate });
    if (fate === "interrupted") throw databaseError("40001", { message: fate });
    const answer = effect();
    if (fate === "lost") throw Object.assign(new Error(fate), { code: "CONNECTION_CLOSED" });
    return answer;
  };
  const save = ({ messageId, isDelivered, statusCode, retrySeconds }: AttemptOutcome): DeliveryStatus | undefined => {
    const message = messages.find(({ id }) => id === messageId);
    if (message?.status !== "pending") return undefined;
    message.status = isDelivered ? "delivered" : retrySeconds === null ? "failed" : "pending";
    message.attempts++;
    message.lastStatusCode = statusCode;
    const dueAt = message.status === "pending" ? clock.now() + retryMs : clock.now();
    for (const later of pendingOf(message.orderKey)) later.dueAt = dueAt;
    return message.status;
  };
  const store: Pick<EventStore, "findOpenEndpoint" | "listDueMessages" | "noteEndpoint" | "saveOutcomes"> = {
    findOpenEndpoint: () =>
      statement(() => {
        const settings = { maxConcurrency: story.atOnce, batchSize: story.batchSize };
        const secrets = { secret: new Uint8Array(), previousSecret: null };
        const { unreachableJobs, failingSince } = endpoint;
        const row = { id: endpointId, workspaceId: "w", url: "http://receiver.example/" };
        return isPaused() ? undefined : { ...row, ...settings, ...secrets, unreachableJobs, failingSince };
      }),
    listDueMessages: (request) =>
      statement(() =>
        request.lanes
          .flatMap((lane) =>
            dueFirsts()
              .filter((first) => first.lane === lane && !request.exceptKeys.includes(first.orderKey))
              .slice(0, request.keysPerLane),
          )
          .flatMap(({ orderKey }) => pendingOf(orderKey).slice(0, request.messagesPerKey))
          .map((message) => ({ ...message })),
      ),
    noteEndpoint: (_, note) =>
      statement(() => {
        if (note.pauseSeconds !== null) endpoint.pausedUntil = clock.now() + pauseMs;
        if (note.isUnreachable) endpoint.unreachableJobs++;
        else if (note.kind !== "idle") endpoint.unreachableJobs = 0;
        if (note.kind === "delivered") endpoint.failingSince = null;
        if (note.kind === "failed") endpoint.failingSince ??= new Date();
        return undefined;
      }),
    saveOutcomes: (attempts) => statement(() => attempts.map(save)),
  };
  return {
    store,
    areDue: () => !isPaused() && dueFirsts().length > 0,
    areOver: () => messages.every(({ status }) => status !== "pending"),
    earlier(id: string): readonly string[] {
      const message = messages.find((one) => one.id === id);
      return pendingOf(message?.orderKey ?? "").flatMap((one) =>
        messages.indexOf(one) < messages.findIndex((other) => other.id === id) ? [one.id] : [],
      );
    },
  };
}

/**
 * Creates a receiver that answers each call with its planned outcome, and records calls that should not have been sent.
 */
function createReceiver(
  clock: VirtualClock,
  { calls, batchSize }: Story,
  earlier: (id: string) => readonly string[],
): { safeFetch: SafeFetch; problems: readonly string[] } {
  const fates = [...calls];
  const underWay = new Set<string>();
  const problems: string[] = [];
  const safeFetch: SafeFetch = async ({ headers, body = "", signal }) => {
    const header = headers.find(([name]) => name === "webhook-id")?.[1] ?? "";
    const ids: string[] = batchSize === 1 ? [header] : JSON.parse(body).map(({ id }: { id: string }) => id);
    for (const id of ids) {
      for (const other of earlier(id)) problems.push(`${id} was sent before ${other} was over`);
      if (underWay.has(id)) problems.push(`${id} was sent twice at once`);
      underWay.add(id);
    }
    const fate = fates.shift() ?? 200;
    const lost = new Promise((resolve) => signal?.addEventListener("abort", resolve));
    await Promise.race([pause(clock, fate === "slow" ? 3 * turnMs : 5), lost]);
    for (const id of ids) underWay.delete(id);
    if (fate === "broken" || signal?.aborted) throw new FailedCall("network", "The call was aborted");
    const status = fate === "slow" ? 200 : fate;
    return { status, text: "", ...(status === 429 && { retryAfter: "2" }) };
  };
  return { safeFetch, problems };
}

async function live(story: Story): Promise<{ problems: readonly string[]; areOver: boolean; isIdle: boolean }> {
  const clock = createVirtualClock();
  const { store, areDue, areOver, earlier } = createTables(clock, story);
  const { safeFetch, problems } = createReceiver(clock, story, earlier);
  const leases = createLaneLeases({ clock, onLeft: () => {} });
  const delivery = createEndpointDelivery(
    {
      ...{ store, safeFetch, clock, leases, log: createLog("silent") },
      secrets: { ...testSecrets, open: async () => testSecret },
      budget: createCallBudget(12),
      outcomes: createBatcher({
        run: store.saveOutcomes,
        isTriedAlone: (error, failedAlone) => failedAlone === 0 && maySucceedAlone(error),
        ...{ maxBatch: 256, inFlight: 2, maxWaiting: Number.POSITIVE_INFINITY, clock },
      }),
      questions: createLimiter({
        width: 4,
        maxWaiting: 100,
        refuse: () => new Error("The limiter refused a call without a limit"),
        clock,
      }),
      metrics: createEventMetrics(),
      retrySeconds: limits.events.retrySeconds,
      onFailure: () => {},
    },
    endpointId,
  );
  const fates = [...story.turns];
  const turn = async (): Promise<void> => {
    const fate = fates.shift() ?? "stay";
    leases.released(leases.toRelease());
    if (fate === "lose") leases.renewed([], clock.now());
    else leases.granted(lanes, clock.now());
    if (fate === "leave") leases.leave();
    if (areDue() && leases.usable(endpointId).length > 0) delivery.wake();
    await clock.advance(turnMs);
  };
  for (let turns = 0; turns < mostTurns && !areOver(); turns++) await turn();
  // Runs ten further turns, so that saved messages are released.
  for (let turns = 0; turns < 10; turns++) await turn();
  return { problems, areOver: areOver(), isIdle: delivery.idleSince() !== undefined };
}

test("the events of each chat finish in order despite failures", () =>
  check(
    asyncProperty(stories, async (story) => {
      expect(await live(story)).toEqual({ problems: [], areOver: true, isIdle: true });
    }),
    { numRuns: 300 },
  ));
