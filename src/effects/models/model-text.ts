/** Filters a model's text for display while it is streamed. */
export type AnswerText = {
  /** Returns the text that can be displayed now. Some text may be held until more text arrives. */
  push(words: string): string;
  /** Returns the rest of the text that can be displayed. */
  end(): string;
};

/**
 * Removes a leading `<think>…</think>`, in which some servers send reasoning, and replaces `![` with `[`. Loading a
 * picture from a URL in a model's text would reveal the conversation to the picture's server.
 */
export function createAnswerText(): AnswerText {
  let place: "start" | "thinking" | "behind thinking" | "text" = "start";
  let waiting = "";

  const shown = (): string => {
    const text = waiting.replaceAll(/!+\[/g, "[");
    // The second half of a surrogate pair may be in the next part.
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

/** Replaces characters that the database cannot store, as in all external input. */
function clean(words: string): string {
  return words.toWellFormed().replaceAll("\0", "\uFFFD");
}

const opening = "<think>";
const closing = "</think>";
