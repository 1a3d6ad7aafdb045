import { createAnswer } from "../interpreter/gfm/read.ts";
import { markedText } from "./marked-text.ts";
import { lastPart } from "./split.ts";

/** The words of a step's answers while they are written, as a draft shows them. */
export type DraftWords = {
  /** Adds text to an answer. `id`: as in events, the answer's number and a dot before the rest. */
  add(id: string, text: string): void;
  /** The answer that was written last begins again, with other words. */
  restart(): void;
  /** The words without their marks; undefined before an answer has begun. Only the end of a long text is returned. */
  read(): string | undefined;
};

/** `most`: UTF-16 units. */
export function createDraftWords(most: number): DraftWords {
  const before: string[] = [];
  let attempt: string | undefined;
  let text = "";
  let readMore = createAnswer();
  const begin = (): void => {
    text = "";
    readMore = createAnswer();
  };
  return {
    add(id, more) {
      const [number] = id.split(".");
      if (number !== attempt) {
        if (text !== "") before.push(wordsIn(readMore, text, true));
        begin();
        attempt = number;
      }
      text += more;
    },
    restart: begin,
    read() {
      if (attempt === undefined) return undefined;
      const words = wordsIn(readMore, text, false);
      return lastPart([...before, words].filter((part) => part !== "").join("\n\n"), most);
    },
  };
}

/** The end of the text may be an incomplete mark. */
function wordsIn(readMore: ReturnType<typeof createAnswer>, text: string, isWhole: boolean): string {
  return markedText(readMore(text, { isWhole })).text;
}
