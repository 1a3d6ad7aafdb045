import { createAnswer } from "../interpreter/gfm/read.ts";
import { markedText } from "./marked-text.ts";
import { lastPart } from "./split.ts";

/** The text of a step's answers while the answers are generated, as shown in a draft. */
export type DraftWords = {
  /** Adds text to an answer. As in events, `id` starts with the answer's number and a dot. */
  add(id: string, text: string): void;
  /** Discards the text of the current answer, because the answer starts again. */
  restart(): void;
  /**
   * Returns the text without formatting marks, or undefined if no answer has started. Only the end of a long text is
   * returned.
   */
  read(): string | undefined;
};

/** Collects the text for a draft. `most`: the maximum length in UTF-16 units. */
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

function wordsIn(readMore: ReturnType<typeof createAnswer>, text: string, isWhole: boolean): string {
  return markedText(readMore(text, { isWhole })).text;
}
