import { limits } from "../../limits/index.ts";

/** An event that precedes the end of a step. */
export type ProgressEvent =
  /** All messages of the step so far, as JSON text. `sessionId` is present only if the step creates the session. */
  | { readonly event: "said"; readonly messages: string; readonly sessionId?: string }
  /** Further text of the bubble that shows a model's answer. */
  | { readonly event: "delta"; readonly id: string; readonly blockId: string; readonly text: string }
  /** The text of this bubble that was sent earlier is void. The bubble starts again. */
  | { readonly event: "restart"; readonly blockId: string };

/** The current answer of a model. */
export type AnswerProgress = {
  /** Increases by one with each answer of a run of the step. Every run starts at a random number. */
  readonly attempt: number;
  readonly blockId: string;
  readonly text: string;
};

/** A reader's position. */
export type ReadPlace = { saidVersion: number; attempt: number | null; characters: number };

/**
 * The progress of a step. Readers poll it, and store their own positions.
 *
 *     nothing ─ say ─────────────────────────→ said: messages that readers have received or will receive
 *     any ─ answer, with a new attempt ──────→ answering, from the first character
 *     answering ─ add ───────────────────────→ answering
 *     answering ─ answer, the same attempt ──→ answering: a further round of the model
 */
export type StepProgress = {
  say(messages: string): void;
  answer(answer: AnswerProgress): void;
  add(words: string): void;
  /** Returns the events after the reader's position, and advances the position. */
  read(place: ReadPlace): readonly ProgressEvent[];
  /**
   * The position of a client that has received the `delta` event with this id. If null or invalid, the position of a
   * new client.
   */
  placeAt(id: string | null): ReadPlace;
  said(): string | null;
  answering(): AnswerProgress | null;
};

/** Creates the progress of a step. `newSessionId` is the id of the session that the step creates. */
export function createStepProgress({ newSessionId }: { readonly newSessionId: string | undefined }): StepProgress {
  let messages: string | null = null;
  let version = 0;
  let attempt: number | null = null;
  let blockId = "";
  /**
   * The last words are stored separately, so that the whole answer is not joined again for each new piece. Readers that
   * are up to date need only the last words.
   */
  let text = "";
  let lastWords = "";

  /**
   * Whether an answer that a reader has read in part is now complete, because the same run has started another answer.
   */
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
      // A new answer is reported before its first word, because the answer can already be stopped.
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
      // A client that received part of this answer has already received the preceding messages.
      return { ...place, saidVersion: place.attempt === attempt ? version : 0 };
    },
    said: () => messages,
    answering: () => (attempt === null ? null : { attempt, blockId, text: `${text}${lastWords}` }),
  };
}

const mostLastWords = 4_096;

/**
 * Returns a random number at which the attempts of a run start, so that two runs practically never share an attempt.
 */
export function firstAttempt(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number >>> 2;
}
