import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";
import { startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import type { Sql } from "../../platform/database/sql.ts";
import {
  type AnswerRow,
  findAnswers,
  type PublishedStepId,
  type WrittenAnswer,
  writeAnswers,
} from "../saves/answers-under-way.sql.ts";
import type { StepUnderWay } from "./answers-under-way.ts";

/**
 * How long a step runs before its progress is published, and the interval between later writes. A start is published
 * immediately. A stop from another node takes effect within two seconds.
 */
const writeMs = 800;
/** The interval at which this process reads the progress that other processes have published. */
const readMs = 500;

/**
 * Shares the progress of steps between processes through a table of their database, so that processes need no
 * connection to each other.
 *
 *     own step ─ calls a model, and runs for `writeMs` ────→ written every `writeMs`, by one statement for all steps
 *     own step, written ─ ends ────────────────────────────→ deleted by the next such statement
 *     other process' step ─ a request waits for it ────────→ read every `readMs`, by one statement for all steps
 *
 * The clean-up job deletes the rows of a process that died.
 */
export type AnswersElsewhere = {
  /**
   * Publishes the progress of a step of this process under the id of its claim, while the claim is held. Returns a
   * function that stops publishing.
   */
  publish(step: StepUnderWay, claim: HeldClaim): () => void;
  /**
   * Passes to `step` the progress that another process publishes under the id of its claim. Returns a function that
   * stops this.
   */
  follow(step: StepUnderWay, stepId: string): () => void;
  /** Deletes the rows of ended steps. Nothing is published afterwards. */
  stop(): Promise<void>;
};

/** The id of a claim, and whether this process certainly still has the claim. */
export type HeldClaim = { readonly stepId: string; isHeld(): boolean };

type Ours = HeldClaim & { readonly step: StepUnderWay; readonly since: number; stops: number; isWritten: boolean };

export function createAnswersElsewhere({
  sql,
  onFailure,
  clock = backgroundClock,
}: {
  sql: Sql;
  onFailure(error: unknown): void;
  clock?: Clock;
}): AnswersElsewhere {
  const ours = new Set<Ours>();
  let over: PublishedStepId[] = [];
  const followed = new Map<StepUnderWay, string>();

  const write = async (): Promise<void> => {
    const isDue = ({ step, since, isHeld }: Ours): boolean => {
      // Other nodes discover a start only through these rows. A process that lost its claim stops publishing, because
      // the new holder publishes instead.
      return step.hasAnswer() && (step.afterRevision === 0 || clock.now() - since >= writeMs) && isHeld();
    };
    const due = [...ours].filter(isDue);
    if (due.length === 0 && over.length === 0) return;
    for (const one of due) one.isWritten = true;
    const gone = over;
    over = [];
    const sessions = new Set(due.map(({ step }) => step.sessionId));
    try {
      // A session has one row, so the new row replaces the row of an earlier step.
      const removed = gone.filter(({ sessionId }) => !sessions.has(sessionId));
      const stops = await writeAnswers(sql, { answers: due.map(rowOf), over: removed });
      for (const one of due) {
        const asked = stops.get(one.step.sessionId) ?? 0;
        if (asked > one.stops) one.step.stop();
        one.stops = asked;
      }
    } catch (error) {
      over = [...gone, ...over].slice(-mostOver);
      throw error;
    }
  };
  const read = async (): Promise<void> => {
    if (followed.size === 0) return;
    const rows = await findAnswers(sql, [...new Set([...followed.keys()].map(({ sessionId }) => sessionId))]);
    const bySession = new Map(rows.map((row) => [row.sessionId, row]));
    for (const [step, stepId] of followed) {
      const row = bySession.get(step.sessionId);
      if (row?.stepId === stepId) repeatProgress(step, row);
    }
  };
  const writer = startPollLoop({
    ...{ startsWaiting: true, clock, onFailure, run: write },
    everyMs: () => (ours.size + over.length > 0 ? writeMs : Number.POSITIVE_INFINITY),
  });
  const reader = startPollLoop({
    ...{ startsWaiting: true, clock, onFailure, run: read },
    everyMs: () => (followed.size > 0 ? readMs : Number.POSITIVE_INFINITY),
  });
  return {
    publish(step, { stepId, isHeld }) {
      const one: Ours = { step, stepId, isHeld, since: clock.now(), stops: 0, isWritten: false };
      ours.add(one);
      if (ours.size === 1) writer.wake();
      return () => {
        if (ours.delete(one) && one.isWritten) over.push({ sessionId: step.sessionId, stepId });
      };
    },
    follow(step, stepId) {
      followed.set(step, stepId);
      reader.wake();
      return () => void followed.delete(step);
    },
    async stop() {
      await Promise.all([writer.stop(), reader.stop()]);
      ours.clear();
      await write().catch(onFailure);
    },
  };
}

/**
 * The maximum number of rows that are remembered for deletion while the database is unreachable. The clean-up job
 * deletes further rows.
 */
const mostOver = 10_000;

function rowOf({ step, stepId }: Ours): WrittenAnswer {
  const { sessionId, allowedOrigins, progress } = step;
  const answering = progress.answering();
  return {
    ...{ sessionId, stepId, allowedOrigins, said: progress.said() },
    attempt: answering?.attempt ?? null,
    blockId: answering?.blockId ?? null,
    content: answering?.text ?? null,
  };
}

function repeatProgress(step: StepUnderWay, { said, attempt, blockId, content }: AnswerRow): void {
  const { progress } = step;
  const before = progress.answering();
  const isNew = said !== progress.said() || attempt !== (before?.attempt ?? null) || content !== (before?.text ?? null);
  if (!isNew) return;
  if (said !== null) progress.say(said);
  if (attempt !== null && blockId !== null) progress.answer({ attempt, blockId, text: content ?? "" });
  step.changed({ isUrgent: true });
}
