import { limits } from "../../limits/index.ts";
import { createToldStep, type ReadPlace, type Told, type ToldStep } from "./told-step.ts";

/** A step's response as JSON text, and whether it was given before. */
export type ChatAnswer = { readonly response: string; readonly isReplayed: boolean };

/** A step that waits for calls, for whoever joins its request or stops its answer. */
export type StepUnderWay = {
  readonly requestHash: string;
  readonly allowedOrigins: readonly string[] | null;
  readonly sessionId: string;
  /** Whether it makes its session. */
  readonly isNew: boolean;
  /** What it told. */
  readonly told: ToldStep;
  /** Its response, or why there is none. */
  readonly answer: Promise<ChatAnswer>;
  /** Whether another request than the one that takes it waits for its answer. */
  isAwaited(): boolean;
  /** Whether there is room for one more who waits for its answer. */
  hasRoom(): boolean;
  /** Counts one who waits for its answer; `reader` reads what it tells. Gives what ends that. */
  join(reader: StepReader | undefined): () => void;
  /** Something was told. `isUrgent`: it is worth an answer that is read as it comes. */
  changed(options: { isUrgent: boolean }): void;
  /** A model's answer begins, which this stops. */
  stopsBy(stop: () => void): void;
  /** Whether a model was asked. */
  hasAnswer(): boolean;
  /** Stops the model's answer that is under way. False where there is none. */
  stop(): boolean;
  /** The step is over. */
  end(answer: ChatAnswer): void;
  fail(error: unknown): void;
};

/** One who reads what a step tells. The step never waits for it. */
export type StepReader = {
  /** Resolves once something is told that is worth an answer that is read as it comes. */
  readonly begun: Promise<void>;
  /** Resolves once there is something to take. */
  more(): Promise<void>;
  /** What was told since the last time. */
  take(): readonly Told[];
  /** To be called at the end. */
  leave(): void;
  /** The step calls these: what there is to read, and that there is more of it. */
  joined(told: ToldStep, leave: () => void): void;
  wake(options: { isUrgent: boolean }): void;
};

export type AnswersUnderWay = {
  /** A reader for a request that is about to be carried out; undefined where there are too many. `after`: the last id that its client has. */
  reader(options?: { readonly after?: string | null }): StepReader | undefined;
  /** Whether no step can be joined. */
  isEmpty(): boolean;
  /** The step that requests of this name may join. */
  find(name: string): StepUnderWay | undefined;
  /** A step is about to wait for calls. `name`: of requests that ask for the same step; null: nobody else can. */
  begin(step: BegunStep): StepUnderWay;
  /** The step of a session, where it waits for calls in this process. */
  ofSession(sessionId: string): StepUnderWay | undefined;
  /** How many read, and how many came when there were too many. */
  usage(): { readonly held: number; readonly waiting: number; readonly refused: number };
};

type BegunStep = Pick<StepUnderWay, "requestHash" | "allowedOrigins" | "sessionId" | "isNew"> & {
  readonly name: string | null;
};

/** The steps of this process that wait for calls, and who reads what they tell meanwhile. Steps without calls are not among them. */
export function createAnswersUnderWay(): AnswersUnderWay {
  const byName = new Map<string, StepUnderWay>();
  const bySession = new Map<string, StepUnderWay>();
  const readers = new Set<StepReader>();
  let refused = 0;
  return {
    reader({ after = null } = {}) {
      if (readers.size >= limits.told.readers) {
        refused++;
        return undefined;
      }
      const reader = createReader(after, () => readers.delete(reader));
      readers.add(reader);
      return reader;
    },
    isEmpty: () => byName.size === 0,
    find: (name) => byName.get(name),
    begin(begun) {
      const { name, sessionId } = begun;
      const step = createStepUnderWay(begun, () => {
        if (name !== null && byName.get(name) === step) byName.delete(name);
        if (bySession.get(sessionId) === step) bySession.delete(sessionId);
      });
      if (name !== null) byName.set(name, step);
      bySession.set(sessionId, step);
      return step;
    },
    ofSession: (sessionId) => bySession.get(sessionId),
    usage: () => ({ held: readers.size, waiting: 0, refused }),
  };
}

function createStepUnderWay({ name: _, ...facts }: BegunStep, onEnd: () => void): StepUnderWay {
  const answer = Promise.withResolvers<ChatAnswer>();
  // Most often nobody has joined.
  answer.promise.catch(() => {});
  const told = createToldStep({ newSessionId: facts.isNew ? facts.sessionId : undefined });
  const reading = new Set<StepReader>();
  const waiting = new Set<object>();
  let stopAnswer: (() => void) | undefined;
  return {
    ...facts,
    told,
    answer: answer.promise,
    // The one that takes the step joins it, too.
    isAwaited: () => waiting.size > 1,
    hasRoom: () => waiting.size < limits.told.readersOfStep,
    join(reader) {
      const one = reader ?? {};
      const leave = (): void => {
        waiting.delete(one);
        if (reader) reading.delete(reader);
      };
      waiting.add(one);
      if (reader) {
        reading.add(reader);
        reader.joined(told, leave);
      }
      return leave;
    },
    changed(options) {
      for (const reader of reading) reader.wake(options);
    },
    stopsBy(stop) {
      stopAnswer = stop;
    },
    hasAnswer: () => stopAnswer !== undefined,
    stop() {
      stopAnswer?.();
      return stopAnswer !== undefined;
    },
    end(given) {
      onEnd();
      answer.resolve(given);
    },
    fail(error) {
      onEnd();
      answer.reject(error);
    },
  };
}

function createReader(after: string | null, onLeave: () => void): StepReader {
  const begun = Promise.withResolvers<void>();
  let told: ToldStep | undefined;
  let place: ReadPlace | undefined;
  let leaveStep = (): void => {};
  let hasNews = false;
  let onNews: (() => void) | undefined;
  const news = (): void => {
    hasNews = true;
    onNews?.();
    onNews = undefined;
  };
  return {
    begun: begun.promise,
    more() {
      if (hasNews) return Promise.resolve();
      return new Promise((resolve) => {
        onNews = resolve;
      });
    },
    take() {
      hasNews = false;
      return (place && told?.read(place)) ?? [];
    },
    leave() {
      onLeave();
      leaveStep();
    },
    joined(step, leave) {
      place ??= step.placeAt(after);
      told = step;
      leaveStep = leave;
      news();
    },
    wake({ isUrgent }) {
      if (isUrgent) begun.resolve();
      news();
    },
  };
}
