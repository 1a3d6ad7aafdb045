import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";
import { startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import type { Sql } from "../../platform/database/sql.ts";
import {
  type AnswerRow,
  findAnswers,
  type ToldStepId,
  type WrittenAnswer,
  writeAnswers,
} from "../saves/answers-under-way.sql.ts";
import type { StepUnderWay } from "./answers-under-way.ts";

/** Steps are written that have been under way for so long, starts at once, and then this often: a stop that another node asks for comes within two seconds. */
const writeMs = 800;
/** How often what another process tells is read. */
const readMs = 500;

/**
 * What steps tell, from one process to others of the same database, through a table: no process needs to know of another one.
 *
 *     ours ─ asks a model, and is under way for `writeMs` ─→ written, every `writeMs`, all of them by one statement
 *     ours, written ─ over ────────────────────────────────→ removed, by the next such statement
 *     another's ─ a request waits for it ──────────────────→ read, every `readMs`, all of them by one statement
 *
 * A process that dies leaves its rows to the clean-up.
 */
export type AnswersElsewhere = {
  /** Tells others of a step of ours, by the id of its claim, as long as that is held. Gives what ends that. */
  tell(step: StepUnderWay, claim: HeldClaim): () => void;
  /** Has a step here tell what another process tells of it, by the id of its claim. Gives what ends that. */
  follow(step: StepUnderWay, stepId: string): () => void;
  /** Removes what is over, and tells nothing from then on. */
  stop(): Promise<void>;
};

/** The id of a claim, and whether nobody else can have it. */
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
  let over: ToldStepId[] = [];
  const followed = new Map<StepUnderWay, string>();

  const write = async (): Promise<void> => {
    const isDue = ({ step, since, isHeld }: Ours): boolean => {
      // Of a start other nodes know nothing else. Where a claim was lost, whoever has it now tells of the step.
      return step.hasAnswer() && (step.isNew || clock.now() - since >= writeMs) && isHeld();
    };
    const due = [...ours].filter(isDue);
    if (due.length === 0 && over.length === 0) return;
    for (const one of due) one.isWritten = true;
    const gone = over;
    over = [];
    const sessions = new Set(due.map(({ step }) => step.sessionId));
    try {
      // What is written anew is in the place of what an earlier step of its session told.
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
      if (row?.stepId === stepId) retell(step, row);
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
    tell(step, { stepId, isHeld }) {
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

/** Rows that wait to be removed while the database is away: beyond that they are left to the clean-up. */
const mostOver = 10_000;

function rowOf({ step, stepId }: Ours): WrittenAnswer {
  const { sessionId, allowedOrigins, told } = step;
  const answering = told.answering();
  return {
    ...{ sessionId, stepId, allowedOrigins, said: told.said() },
    attempt: answering?.attempt ?? null,
    blockId: answering?.blockId ?? null,
    content: answering?.text ?? null,
  };
}

function retell(step: StepUnderWay, { said, attempt, blockId, content }: AnswerRow): void {
  const { told } = step;
  const before = told.answering();
  const isNew = said !== told.said() || attempt !== (before?.attempt ?? null) || content !== (before?.text ?? null);
  if (!isNew) return;
  if (said !== null) told.say(said);
  if (attempt !== null && blockId !== null) told.answer({ attempt, blockId, text: content ?? "" });
  step.changed({ isUrgent: true });
}
