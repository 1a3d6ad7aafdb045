import { limits } from "../../limits/index.ts";

/** What is told of a step before its end. */
export type Told =
  /** All messages of the step so far, as JSON text. `sessionId` only where the step makes the session. */
  | { readonly event: "said"; readonly messages: string; readonly sessionId?: string }
  /** More of the bubble that shows a model's answer. */
  | { readonly event: "delta"; readonly id: string; readonly blockId: string; readonly text: string }
  /** What was shown of this bubble does not count: it begins anew. */
  | { readonly event: "restart"; readonly blockId: string };

/** A model's answer as far as it came. */
export type ToldAnswer = {
  /** Grows by one with each answer of a run of the step; every run begins at a number of its own. */
  readonly attempt: number;
  readonly blockId: string;
  readonly text: string;
};

/** How far a reader has read. */
export type ReadPlace = { saidVersion: number; attempt: number | null; characters: number };

/**
 * What a step has told so far. Readers come for it when they can: nothing is kept for each of them but their place.
 *
 *     nothing ─ say ─────────────────────────→ said: messages that a reader has, or gets
 *     any ─ answer, of a new attempt ────────→ answering, from its first character
 *     answering ─ add ───────────────────────→ answering
 *     answering ─ answer, the same attempt ──→ answering: a further round of the model
 */
export type ToldStep = {
  say(messages: string): void;
  answer(answer: ToldAnswer): void;
  add(words: string): void;
  /** What the reader does not have yet, whose place moves on. */
  read(place: ReadPlace): readonly Told[];
  /** The place of a reader who has read as far as this id of a `delta`; null: of a new one. */
  placeAt(id: string | null): ReadPlace;
  said(): string | null;
  answering(): ToldAnswer | null;
};

/** `newSessionId`: of a step that makes the session. */
export function createToldStep({ newSessionId }: { readonly newSessionId: string | undefined }): ToldStep {
  let messages: string | null = null;
  let version = 0;
  let attempt: number | null = null;
  let blockId = "";
  /** Its last words are apart: who reads along reads those alone, and all of a long answer is not put together for each piece. */
  let text = "";
  let lastWords = "";

  /** An answer that was read in part is whole by now where the same run has gone on to another one. */
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
      const told: Told[] = [];
      const isElsewhere = attempt !== null && place.attempt !== attempt;
      if (isElsewhere && place.attempt !== null && place.characters > 0 && !isWhole(place.attempt)) {
        told.push({ event: "restart", blockId });
      }
      if (messages !== null && place.saidVersion !== version) {
        place.saidVersion = version;
        told.push({ event: "said", messages, ...(newSessionId !== undefined && { sessionId: newSessionId }) });
      }
      if (isElsewhere) Object.assign(place, { attempt, characters: 0 });
      const characters = text.length + lastWords.length;
      // An answer that begins is told without a word of it: from then on it can be stopped.
      if (attempt !== null && (isElsewhere || characters > place.characters)) {
        const isAlong = place.characters >= text.length;
        const words = isAlong
          ? lastWords.slice(place.characters - text.length)
          : `${text}${lastWords}`.slice(place.characters);
        place.characters = characters;
        told.push({ event: "delta", id: `${attempt}.${characters}`, blockId, text: words });
      }
      return told;
    },
    placeAt(id) {
      const [, before, characters] = /^(\d{1,10})\.(\d{1,8})$/.exec(id ?? "") ?? [];
      if (before === undefined) return { saidVersion: 0, attempt: null, characters: 0 };
      const place = { attempt: Number(before), characters: Number(characters) };
      // Whoever has read of this answer has read what was said before it.
      return { ...place, saidVersion: place.attempt === attempt ? version : 0 };
    },
    said: () => messages,
    answering: () => (attempt === null ? null : { attempt, blockId, text: `${text}${lastWords}` }),
  };
}

const mostLastWords = 4_096;

/** Where the attempts of a run begin: two runs do not meet. */
export function firstAttempt(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number >>> 2;
}
