import { limits } from "../../limits/index.ts";

/** An event of a step before its end. */
export type ProgressEvent =
  /** All messages of the step so far, as JSON text. `sessionId` only if the step creates the session. */
  | { readonly event: "said"; readonly messages: string; readonly sessionId?: string }
  /** More of the bubble that shows a model's answer. */
  | { readonly event: "delta"; readonly id: string; readonly blockId: string; readonly text: string }
  /** Text of this bubble that was sent before is void: the bubble starts again. */
  | { readonly event: "restart"; readonly blockId: string };

/** A model's answer so far. */
export type AnswerProgress = {
  /** Grows by one with each answer of a run of the step. Every run begins at a random number. */
  readonly attempt: number;
  readonly blockId: string;
  readonly text: string;
};

/** A reader's position. */
export type ReadPlace = { saidVersion: number; attempt: number | null; characters: number };

/**
 * The progress of a step. Readers poll it, and it stores nothing for them except their positions.
 *
 *     nothing ─ say ─────────────────────────→ said: messages that a reader has, or gets
 *     any ─ answer, of a new attempt ────────→ answering, from its first character
 *     answering ─ add ───────────────────────→ answering
 *     answering ─ answer, the same attempt ──→ answering: a further round of the model
 */
export type StepProgress = {
  say(messages: string): void;
  answer(answer: AnswerProgress): void;
  add(words: string): void;
  /** The events after the reader's position, which it advances. */
  read(place: ReadPlace): readonly ProgressEvent[];
  /** The position of a client that has received this id of a `delta`; null: of a new client. */
  placeAt(id: string | null): ReadPlace;
  said(): string | null;
  answering(): AnswerProgress | null;
};

/** `newSessionId`: the id of the session that the step creates. */
export function createStepProgress({ newSessionId }: { readonly newSessionId: string | undefined }): StepProgress {
  let messages: string | null = null;
  let version = 0;
  let attempt: number | null = null;
  let blockId = "";
  /** The last words are separate, so that for a reader without a backlog a long answer is not joined for each piece. */
  let text = "";
  let lastWords = "";

  /** Whether an answer that was read in part is now complete, because the same run has begun another answer. */
  const isWhole = (earlier: number): boolean => {
    return attempt !== null && earlier < attempt && attempt - earlier <= limits.step.effects;
  };
  return {
    say(now) {
      if (now === messages) return;
      messages = now;
      version++;
    },
    answer(answer) {
      ({ attempt, blockId, text } = answer);
      lastWords = "";
    },
    add(words) {
      if (lastWords.length > mostLastWords) {
        text += lastWords;
        lastWords = "";
      }
      lastWords += words;
    },
    read(place) {
      const events: ProgressEvent[] = [];
      const isElsewhere = attempt !== null && place.attempt !== attempt;
      if (isElsewhere && place.attempt !== null && place.characters > 0 && !isWhole(place.attempt)) {
        events.push({ event: "restart", blockId });
      }
      if (messages !== null && place.saidVersion !== version) {
        place.saidVersion = version;
        events.push({ event: "said", messages, ...(newSessionId !== undefined && { sessionId: newSessionId }) });
      }
      if (isElsewhere) Object.assign(place, { attempt, characters: 0 });
      const characters = text.length + lastWords.length;
      // A new answer is reported before its first word, because it can be stopped from then on.
      if (attempt !== null && (isElsewhere || characters > place.characters)) {
        const isAlong = place.characters >= text.length;
        const words = isAlong
          ? lastWords.slice(place.characters - text.length)
          : `${text}${lastWords}`.slice(place.characters);
        place.characters = characters;
        events.push({ event: "delta", id: `${attempt}.${characters}`, blockId, text: words });
      }
      return events;
    },
    placeAt(id) {
      const [, before, characters] = /^(\d{1,10})\.(\d{1,8})$/.exec(id ?? "") ?? [];
      if (before === undefined) return { saidVersion: 0, attempt: null, characters: 0 };
      const place = { attempt: Number(before), characters: Number(characters) };
      // A client that received part of this answer has received the messages before it.
      return { ...place, saidVersion: place.attempt === attempt ? version : 0 };
    },
    said: () => messages,
    answering: () => (attempt === null ? null : { attempt, blockId, text: `${text}${lastWords}` }),
  };
}

const mostLastWords = 4_096;

/** A random number where the attempts of a run begin, so that two runs do not share one. */
export function firstAttempt(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number >>> 2;
}
