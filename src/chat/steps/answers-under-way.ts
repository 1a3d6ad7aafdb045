import { limits } from "../../limits/index.ts";
import { createStepProgress, type ProgressEvent, type ReadPlace, type StepProgress } from "./step-progress.ts";

/** A step's response as JSON text. `isReplayed`: this request did not run the step. */
export type ChatAnswer = {
  readonly response: string;
  readonly isReplayed: boolean;
  /** The number of the step. Absent in chats of existing clients. */
  readonly revision?: number | undefined;
};

/** A step that waits for calls. Other requests can join the step or stop its answer. */
export type StepUnderWay = {
  readonly requestHash: string;
  readonly allowedOrigins: readonly string[] | null;
  readonly sessionId: string;
  /** The messenger contact who owns the chat; null on the web. */
  readonly contactId: string | null;
  /** The number of the last saved step; 0 if this step creates its session. */
  readonly afterRevision: number;
  readonly progress: StepProgress;
  /** The step's response. Rejects if the step fails. */
  readonly answer: Promise<ChatAnswer>;
  /** Whether another request also waits for the step's answer. */
  isAwaited(): boolean;
  /** Whether another request may still join. */
  hasRoom(): boolean;
  /**
   * Counts a request that waits for the answer. `reader` receives the progress. Returns a function that removes the
   * request.
   */
  join(reader: StepReader | undefined): () => void;
  /** Called when there is progress. `isUrgent`: the response should be switched to a stream. */
  changed(options: { isUrgent: boolean }): void;
  /** Called when a model's answer starts, with a function that stops the answer. */
  stopsBy(stop: () => void): void;
  /** Whether the step has called a model. */
  hasAnswer(): boolean;
  /** Stops the current answer of a model. Returns false if no answer has started. */
  stop(): boolean;
  /** Called when the step has succeeded. */
  end(answer: ChatAnswer): void;
  fail(error: unknown): void;
};

/** Reads the progress of a step for one request. The step never waits for a reader. */
export type StepReader = {
  /** Resolves at the first urgent progress. From then on, the response is a stream. */
  readonly begun: Promise<void>;
  /** Resolves when there is new progress. */
  more(): Promise<void>;
  /** Returns the progress since the last call. */
  take(): readonly ProgressEvent[];
  /** Called when the request ends. */
  leave(): void;
  /** Called by the step when the request joins, with the step's progress and a function that leaves the step. */
  joined(progress: StepProgress, leave: () => void): void;
  wake(options: { isUrgent: boolean }): void;
};

export type AnswersUnderWay = {
  /**
   * Creates a reader for a request that is about to run, or returns undefined if there are too many readers. `after`:
   * the last event id that the client received.
   */
  reader(options?: { readonly after?: string | null }): StepReader | undefined;
  /** Whether no step can be joined. */
  isEmpty(): boolean;
  /** Finds the step that requests with this name may join, if any. */
  find(name: string): StepUnderWay | undefined;
  /**
   * Registers a step that is about to wait for calls. `name` identifies requests for the same step. It is null if no
   * other request can ask for this step.
   */
  begin(step: BegunStep): StepUnderWay;
  /** Finds the session's step, if it waits for calls in this process. */
  ofSession(sessionId: string): StepUnderWay | undefined;
  /** Finds the running step of a messenger contact, if any. Includes a step that creates its session. */
  ofContact(contactId: string): StepUnderWay | undefined;
  /** The number of readers, and the number of requests that were denied a reader. */
  usage(): { readonly held: number; readonly waiting: number; readonly refused: number };
};

type BegunStep = Pick<StepUnderWay, "requestHash" | "allowedOrigins" | "sessionId" | "contactId" | "afterRevision"> & {
  readonly name: string | null;
};

/**
 * Stores the steps of this process that wait for calls, and the readers of their progress. Steps without calls are
 * never registered.
 */
export function createAnswersUnderWay(): AnswersUnderWay {
  const byName = new Map<string, StepUnderWay>();
  const bySession = new Map<string, StepUnderWay>();
  const readers = new Set<StepReader>();
  let refused = 0;
  return {
    reader({ after = null } = {}) {
      if (readers.size >= limits.streamedAnswers.readers) {
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
    ofContact: (contactId) => bySession.values().find((step) => step.contactId === contactId),
    usage: () => ({ held: readers.size, waiting: 0, refused }),
  };
}

function createStepUnderWay({ name: _, ...facts }: BegunStep, onEnd: () => void): StepUnderWay {
  const answer = Promise.withResolvers<ChatAnswer>();
  // Most steps are joined by no other request. Without this handler, their failure would be reported as an unhandled
  // rejection.
  answer.promise.catch(() => {});
  const progress = createStepProgress({ newSessionId: facts.afterRevision === 0 ? facts.sessionId : undefined });
  const reading = new Set<StepReader>();
  const waiting = new Set<object>();
  let stopAnswer: (() => void) | undefined;
  return {
    ...facts,
    progress,
    answer: answer.promise,
    // The request that runs the step is counted too.
    isAwaited: () => waiting.size > 1,
    hasRoom: () => waiting.size < limits.streamedAnswers.readersOfStep,
    join(reader) {
      const one = reader ?? {};
      const leave = (): void => {
        waiting.delete(one);
        if (reader) reading.delete(reader);
      };
      waiting.add(one);
      if (reader) {
        reading.add(reader);
        reader.joined(progress, leave);
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
  let progress: StepProgress | undefined;
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
      return (place && progress?.read(place)) ?? [];
    },
    leave() {
      onLeave();
      leaveStep();
    },
    joined(step, leave) {
      place ??= step.placeAt(after);
      progress = step;
      leaveStep = leave;
      news();
    },
    wake({ isUrgent }) {
      if (isUrgent) begun.resolve();
      news();
    },
  };
}
