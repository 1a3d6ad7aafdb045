import type { ChannelEvent } from "../../core/channels/channel.ts";
import { wordIn } from "../../core/channels/words.ts";
import { limits } from "../../limits/index.ts";
import { type Rule, rulesOf } from "../../limits/rate-rules.ts";
import type { OptOuts } from "../../management/channels/opt-outs.ts";
import type { FairShare } from "../../platform/concurrency/fair-share.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import { nextArrival, waitMsOf } from "../../platform/rate-limits/rate-limits.ts";
import { endRows } from "../turns/rows.sql.ts";
import { takeTurn } from "../turns/take-turn.ts";
import { type ContactEvent, type QueuedRow, type TurnTools, typedText, wordsOf } from "../turns/turn.ts";
import { resolveContacts } from "./contacts.ts";
import { assignContacts, listWaiting, type WaitingRow } from "./inbox.sql.ts";

/**
 * Processes the incoming messages of a connection. Contacts are processed concurrently, and the messages of each
 * contact in order.
 */
export type Inbound = {
  /**
   * Processes the waiting rows. Returns the milliseconds until more rows may be due, or undefined if no row is known to
   * become due.
   */
  run(): Promise<number | undefined>;
  /** Whether messages wait in this process or are being answered. */
  isBusy(): boolean;
  /** Whether a message of this contact is being answered. */
  isAnswering(contactId: string): boolean;
  /** Starts no more turns, and waits for running turns. */
  stop(): Promise<void>;
};

/** Counts the messages that wait in this process' memory, for all connections together. */
export type WaitingRoom = { waiting: number };

type Queue = {
  readonly contactId: string;
  readonly rows: QueuedRow[];
  isRunning: boolean;
  stopTimer(): void;
  tat: number;
};

/** The maximum number of rows that one query reads. */
const batch = 1_000;
const failedPauseMs = 1_000;
/** Under constant traffic, messages that arrive within this time are read by one query. */
const leastPauseMs = 25;
/**
 * The number of waiting messages that lengthens the pause between queries by 1 ms. Each query excludes by its id every
 * message that already waits in this process, so queries are made less often while thousands wait.
 */
const knownPerMs = 20;
/** How often a running answer is checked for a request to stop it. */
const stopAgainMs = 500;

export function createInbound(
  tools: TurnTools,
  {
    places,
    optOuts,
    room,
    isInOrder,
    onStep,
  }: {
    readonly places: FairShare<"workspace">;
    readonly optOuts: OptOuts;
    /** Counts the messages that wait for their turn in this process. */
    readonly room: WaitingRoom;
    /** Whether incoming rows are stored in order, so that no row arrives late. */
    readonly isInOrder: boolean;
    onStep(): void;
  },
): Inbound {
  const { deps, connection, held } = tools;
  const { sql, clock, log } = deps;
  const queues = new Map<string, Queue>();
  const known = new Set<string>();
  const running = new Set<Promise<void>>();
  const rule = rateOf(deps.config.RATE_LIMITS);
  let lastSequence: number | undefined;
  /** A query before this time (by the process' clock) would find only the rows of the previous query. */
  let nextLookAt = 0;
  let isStopping = false;

  const mayAct = (): boolean => !isStopping && held.mayAct();

  /** Returns the rows that can be processed now. Later rows wait, because earlier rows may still arrive. */
  const settled = (
    rows: readonly WaitingRow[],
  ): { readonly ready: WaitingRow[]; readonly restMs: number | undefined } => {
    const isSettled = ({ ageMs }: WaitingRow): boolean => ageMs >= limits.channels.settleMs || isInOrder;
    if (!connection.channel.isNumbered && !isInOrder) return settledOfContacts(rows, isSettled);
    let count = rows.findLastIndex(isSettled) + 1;
    let last = Math.max(
      lastSequence ?? Number.NEGATIVE_INFINITY,
      rows[count - 1]?.sequence ?? Number.NEGATIVE_INFINITY,
    );
    for (
      let next = rows[count];
      next && connection.channel.isNumbered && next.sequence <= last + 1;
      next = rows[count]
    ) {
      last = Math.max(last, next.sequence);
      count++;
    }
    if (count > 0) lastSequence = last;
    return { ready: rows.slice(0, count), restMs: restOf(rows.slice(count)) };
  };

  /**
   * Returns the milliseconds until the next query. If rows may arrive late, new rows cannot be processed before the
   * rows that were already read, so a query for each message would be useless.
   */
  const pauseAfter = (restMs: number | undefined): number => {
    const ofKnown = known.size / knownPerMs;
    if (isInOrder || connection.channel.isNumbered) return ofKnown;
    return Math.max(restMs ?? 0, leastPauseMs, ofKnown);
  };

  const enqueue = async (rows: readonly WaitingRow[]): Promise<void> => {
    const read = rows.map((row) => ({ row, event: eventOf(row) }));
    const lost = read.flatMap(({ row, event }) => (event ? [] : [row.id]));
    await endRows(sql, lost, { state: "dropped", reason: "unreadable" });
    const usable = read.flatMap(({ row, event }) => (event ? [{ row, event }] : []));
    const unassigned = usable.flatMap(({ row, event }) => (row.contactId === null ? [{ id: row.id, event }] : []));
    const assigned = await resolveContacts({ sql, log, optOuts }, connection.id, unassigned);
    await assignContacts(sql, connection.id, assigned);
    const contactOf = new Map(assigned.map(({ id, contactId }) => [id, contactId]));
    const flood: string[] = [];
    const given = new Set<Queue>();
    const now = clock.now();
    for (const { row, event } of usable) {
      const contactId = row.contactId ?? contactOf.get(row.id);
      if (contactId === undefined) continue;
      const queue = queues.get(contactId) ?? newQueue(contactId);
      if (queue.rows.length >= limits.channels.waitingPerContact) {
        flood.push(row.id);
        continue;
      }
      known.add(row.id);
      room.waiting++;
      queues.set(contactId, queue);
      given.add(queue);
      const queued: QueuedRow = {
        ...{ id: row.id, event, attempts: row.attempts, arrivedAt: row.receivedAtMs },
        ...{ decision: row.decision === null ? undefined : JSON.parse(row.decision), notBeforeAt: now + row.restMs },
        lateMs: Math.max(row.writtenMs ?? 0, row.ageMs),
      };
      // The decision's step may already have run, so no other row may come before this row or be merged into it.
      if (queued.decision && !queue.isRunning) queue.rows.unshift(queued);
      else queue.rows.push(queued);
    }
    for (const queue of given) {
      stopAnswer(queue);
      start(queue);
    }
    await endRows(sql, flood, { state: "dropped", reason: "flood" });
    if (flood.length > 0) deps.channelMetrics.count(connection.channel.type, "message", "dropped:flood", flood.length);
  };
  /**
   * Stops the current answer for a contact that opts out. The check repeats, because another answer may start later.
   */
  const stopAnswer = (queue: Queue): void => {
    const [, ...later] = queue.rows;
    if (!queue.isRunning) return;
    if (!later.some((row) => wordIn(typedText(row) ?? "", wordsOf(connection)) === "stop")) return;
    deps.answersUnderWay.ofContact(queue.contactId)?.stop();
    queue.stopTimer();
    queue.stopTimer = clock.startTimer(stopAgainMs, () => stopAnswer(queue));
  };

  const start = (queue: Queue): void => {
    if (queue.isRunning || !mayAct()) return;
    queue.isRunning = true;
    queue.stopTimer();
    const run = runQueue(queue).finally(() => running.delete(run));
    running.add(run);
  };
  const startIn = (queue: Queue, ms: number): void => {
    if (ms < Number.POSITIVE_INFINITY) queue.stopTimer = clock.startTimer(ms, () => start(queue));
  };
  const runQueue = async (queue: Queue): Promise<void> => {
    let waitMs: number | undefined;
    try {
      while (queue.rows.length > 0 && waitMs === undefined && mayAct()) waitMs = await turn(queue);
    } catch (error) {
      waitMs = failedPauseMs;
      if (isOutage(error)) deps.outage.failed(error);
      else log.error("Messages from a contact could not be answered yet", { error, connection: connection.id });
    } finally {
      queue.isRunning = false;
    }
    if (queue.rows.length === 0) forget(queue);
    else if (waitMs === undefined) start(queue);
    else startIn(queue, waitMs);
  };
  /** Runs a turn if it is due. Returns the milliseconds until the next turn, or undefined if there is no pause. */
  const turn = async (queue: Queue): Promise<number | undefined> => {
    const now = clock.now();
    const [head] = queue.rows;
    if (head && head.notBeforeAt > now) return head.notBeforeAt - now;
    const arrival = rule && nextArrival(rule, queue.tat, now);
    const restMs = rule && arrival !== undefined ? waitMsOf(rule, arrival, now) : 0;
    if (restMs > 0) return restMs;
    const before = queue.rows.length;
    const outcome = await places.run({ workspace: connection.workspaceId }, () =>
      takeTurn(tools, queue.contactId, [...queue.rows]),
    );
    const gone = outcome.kind === "ended" ? outcome.rowIds : (outcome.gone ?? []);
    for (const id of gone) if (known.delete(id)) room.waiting--;
    const left = queue.rows.filter(({ id }) => !gone.includes(id));
    queue.rows.splice(0, queue.rows.length, ...left);
    if (outcome.kind === "ended") {
      if (arrival !== undefined) queue.tat = arrival;
      if (outcome.isStep) onStep();
      return undefined;
    }
    // Rows that arrived in the meantime may end the wait of the first row.
    return queue.rows.length + gone.length > before ? 0 : outcome.ms;
  };
  /** Deletes a queue as soon as its contact's rate limit has recovered, if the queue is still empty. */
  const forget = (queue: Queue): void => {
    if (queue.tat <= clock.now()) queues.delete(queue.contactId);
    else queue.stopTimer = clock.startTimer(queue.tat - clock.now(), () => forgetIfEmpty(queue));
  };
  const forgetIfEmpty = (queue: Queue): void => {
    if (queue.rows.length === 0 && !queue.isRunning) queues.delete(queue.contactId);
  };
  return {
    async run() {
      if (!mayAct()) return undefined;
      // Other rows stay in the database until some of the rows in memory have ended.
      const limit = roomFor({ own: known.size, all: room.waiting });
      if (limit <= 0) return limits.channels.pollMs;
      const leftMs = nextLookAt - clock.now();
      if (leftMs > 0) return leftMs;
      const rows = await listWaiting(sql, connection.id, { known: [...known], limit });
      const { ready, restMs } = settled(rows);
      if (ready.length > 0) await enqueue(ready);
      if (rows.length === limit && ready.length > 0) return 0;
      const pauseMs = pauseAfter(restMs);
      nextLookAt = clock.now() + pauseMs;
      return restMs === undefined ? undefined : Math.max(restMs, pauseMs);
    },
    isBusy: () => known.size > 0,
    isAnswering: (contactId) => queues.get(contactId)?.isRunning === true,
    async stop() {
      isStopping = true;
      for (const queue of queues.values()) queue.stopTimer();
      await Promise.all(running);
      room.waiting -= known.size;
      known.clear();
    },
  };
}

/**
 * Returns the rows up to the last settled row of their own contact. Settled rows of other contacts are ignored, because
 * earlier rows of this contact may still arrive.
 */
export function settledOfContacts(
  rows: readonly WaitingRow[],
  isSettled: (row: WaitingRow) => boolean,
): { readonly ready: WaitingRow[]; readonly restMs: number | undefined } {
  const senders = rows.map(senderOf);
  const last = new Map(rows.flatMap((row, at) => (isSettled(row) ? [[senders[at], at] as const] : [])));
  const isReady = (at: number): boolean => at <= (last.get(senders[at]) ?? -1);
  return { ready: rows.filter((_, at) => isReady(at)), restMs: restOf(rows.filter((_, at) => !isReady(at))) };
}

/** Returns the milliseconds until the oldest of these rows is settled, or undefined without rows. */
function restOf(rows: readonly WaitingRow[]): number | undefined {
  if (rows.length === 0) return undefined;
  return Math.max(1, limits.channels.settleMs - Math.max(...rows.map(({ ageMs }) => ageMs)));
}

/** Identifies the sender of a row by the event's first address, otherwise by the row's contact or id. */
function senderOf(row: WaitingRow): string {
  const [address] = eventOf(row)?.contact.addresses ?? [];
  return address ? `${address.kind} ${address.value}` : (row.contactId ?? row.id);
}

/**
 * Returns how many more messages of a connection may wait in memory. Each connection has a minimum, even if other
 * connections have many messages.
 */
export function roomFor({ own, all }: { readonly own: number; readonly all: number }): number {
  return Math.min(batch, Math.max(0, limits.channels.waitingAtLeast - own, limits.channels.waitingAtOnce - all));
}

function newQueue(contactId: string): Queue {
  return { contactId, rows: [], isRunning: false, stopTimer() {}, tat: 0 };
}

/** Returns the event that a contact sent. Returns undefined for other rows, and for rows without content. */
function eventOf({ content }: WaitingRow): ContactEvent | undefined {
  if (content === null) return undefined;
  const event: ChannelEvent = JSON.parse(content);
  return "contact" in event && event.kind !== "ignored" ? event : undefined;
}

/** Returns the rate limit for the messages of a contact, if one is configured. */
function rateOf(settings: string): Rule | undefined {
  return rulesOf(settings).find(({ scope, act }) => scope === "contact" && act === "messages");
}
