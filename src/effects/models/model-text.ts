/** A model's words as they may be shown, while they come. */
export type AnswerText = {
  /** What can be shown after these words: some may wait for the next ones. */
  push(words: string): string;
  /** What waited. */
  end(): string;
};

/**
 * Takes off a leading `<think>…</think>`, as some servers give reasoning, and turns `![` into `[`: a picture in a model's words would carry
 * what it knows to whoever serves the picture.
 */
export function createAnswerText(): AnswerText {
  let place: "start" | "thinking" | "behind thinking" | "text" = "start";
  let waiting = "";

  const shown = (): string => {
    const text = waiting.replaceAll(/!+\[/g, "[");
    // Of a character in two halves the second one may be in the next words.
    waiting = /(?:!+|[\uD800-\uDBFF])$/.exec(text)?.[0] ?? "";
    return clean(text.slice(0, text.length - waiting.length));
  };
  return {
    push(words) {
      waiting += words;
      if (place === "start") {
        const begun = waiting.trimStart();
        if (opening.startsWith(begun)) return "";
        place = begun.startsWith(opening) ? "thinking" : "text";
      }
      if (place === "thinking") {
        const end = waiting.indexOf(closing);
        if (end < 0) return "";
        waiting = waiting.slice(end + closing.length);
        place = "behind thinking";
      }
      if (place === "behind thinking") {
        waiting = waiting.trimStart();
        if (waiting === "") return "";
        place = "text";
      }
      return shown();
    },
    end() {
      const rest = place === "text" || (place === "start" && waiting.trim() !== "") ? waiting : "";
      waiting = "";
      return clean(rest);
    },
  };
}

/** As whatever comes from outside: what no database keeps is replaced. */
function clean(words: string): string {
  return words.toWellFormed().replaceAll("\0", "\uFFFD");
}

const opening = "<think>";
const closing = "</think>";
