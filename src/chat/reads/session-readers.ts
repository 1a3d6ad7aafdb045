import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";
import { startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { EventSource } from "../../platform/http/event-stream.ts";
import { Gauge, Registry } from "../../platform/observing/prometheus.ts";
import { listNewSteps, type NewStep } from "./new-steps.sql.ts";

/**
 * The requests of this process that wait for steps of a session. A step that this process saves is sent immediately.
 * One statement per second reads the steps of other processes, for all sessions that have a reader.
 *
 *     waiting ─ this process saves the next step ──────→ sent; waiting
 *     waiting ─ the statement finds steps ─────────────→ sent, up to `steps` at a time; waiting
 *     waiting ─ the connection is congested ───────────→ full: further steps stay in the database
 *     full ─ the connection accepts data again ────────→ waiting
 *     any ─ all steps of an ended chat are sent ───────→ ended
 *     any ─ `lastsMs` have passed, or a process stop ──→ ended
 *     any ─ the connection is closed ──────────────────→ left
 */
export type SessionReaders = {
  readonly registry: Registry;
  /** The sessions for whose steps a request waits. */
  readonly watched: ReadonlyMap<string, unknown>;
  /** Called when a step of a watched session is saved. */
  saved(step: NewStep): void;
  /**
   * Opens a stream of the steps after a revision. Throws `server.overloaded` if this process has too many readers or is
   * stopping.
   */
  open(place: ReadPlace): EventSource;
  close(): Promise<void>;
};

export type ReadPlace = { readonly sessionId: string; readonly after: number };

type Reader = {
  readonly sessionId: string;
  /** The last revision that was sent or is in `steps`. */
  after: number;
  readonly steps: NewStep[];
  isOver: boolean;
  wake(): void;
};

/** A step of another process reaches its readers after about this time. */
const everyMs = 1_000;
const longestPauseMs = 10_000;

export function createSessionReaders({
  sql,
  onFailure,
  clock = backgroundClock,
}: {
  sql: Sql;
  onFailure(error: unknown): void;
  clock?: Clock;
}): SessionReaders {
  const watched = new Map<string, Set<Reader>>();
  const registry = new Registry();
  let count = 0;
  let isClosed = false;
  registerCount(registry, () => count);

  const remove = (reader: Reader): void => {
    const ofSession = watched.get(reader.sessionId);
    if (!ofSession?.delete(reader)) return;
    count--;
    if (ofSession.size === 0) watched.delete(reader.sessionId);
  };
  const end = (reader: Reader): void => {
    remove(reader);
    reader.isOver = true;
    reader.wake();
  };
  const add = (reader: Reader, step: NewStep): void => {
    reader.steps.push(step);
    reader.after = step.revision;
    if (step.isLast) end(reader);
    else reader.wake();
  };
  const read = async (): Promise<void> => {
    const places = [...watched].flatMap(([sessionId, ofSession]) => {
      const hungry = [...ofSession].filter(hasRoom);
      return hungry.length === 0 ? [] : [{ sessionId, after: Math.min(...hungry.map(({ after }) => after)) }];
    });
    if (places.length === 0) return;
    for (const step of await listNewSteps(sql, places, { limit: limits.sessionEvents.steps })) {
      for (const reader of [...(watched.get(step.sessionId) ?? [])]) {
        if (step.revision > reader.after && hasRoom(reader)) add(reader, step);
      }
    }
  };
  const loop = startPollLoop({
    ...{ clock, onFailure, run: read, startsWaiting: true, maxPauseMs: longestPauseMs },
    everyMs: () => (watched.size > 0 ? everyMs : Number.POSITIVE_INFINITY),
  });
  return {
    registry,
    watched,
    saved(step) {
      for (const reader of [...(watched.get(step.sessionId) ?? [])]) {
        if (step.revision === reader.after + 1 && hasRoom(reader)) add(reader, step);
        // Steps that another process saved, or for which the reader had no room, must be read first.
        else if (step.revision > reader.after) loop.wake();
      }
    },
    open({ sessionId, after }) {
      if (isClosed || count >= limits.sessionEvents.readers) throw new AppError("server.overloaded");
      let wake = (): void => {};
      const reader: Reader = { sessionId, after, steps: [], isOver: false, wake: () => wake() };
      watched.set(sessionId, (watched.get(sessionId) ?? new Set()).add(reader));
      count++;
      const stopTimer = clock.startTimer(limits.sessionEvents.lastsMs, () => end(reader));
      loop.wake();
      return {
        more() {
          if (reader.steps.length > 0 || reader.isOver) return Promise.resolve();
          return new Promise((resolve) => {
            wake = resolve;
          });
        },
        take() {
          const wasFull = !hasRoom(reader);
          const taken = reader.steps.splice(0);
          if (wasFull) loop.wake();
          return taken.map(({ revision, response }) => ({ event: "step", id: String(revision), data: response }));
        },
        hasEnded: () => reader.isOver && reader.steps.length === 0,
        leave() {
          stopTimer();
          remove(reader);
        },
      };
    },
    async close() {
      isClosed = true;
      for (const ofSession of watched.values()) for (const reader of [...ofSession]) end(reader);
      await loop.stop();
    },
  };
}

function hasRoom({ steps }: Reader): boolean {
  return steps.length < limits.sessionEvents.steps;
}

function registerCount(registry: Registry, count: () => number): void {
  new Gauge({
    name: "parley_session_event_readers",
    help: "Requests that wait for steps of a session.",
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}
