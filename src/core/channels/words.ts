/** Commands of a contact that the connection itself handles. */
export type Word = "stop" | "restart" | "start";

export type Words = Readonly<Record<Word, readonly string[]>>;

/** Returns the command that makes up the whole message, if any. Case and final punctuation are ignored. */
export function wordIn(text: string, words: Words): Word | undefined {
  // Commands are short, so long texts are not searched for final punctuation.
  if (text.length > mostCharacters) return undefined;
  const said = folded(text);
  if (said === "") return undefined;
  return order.find((word) => words[word].some((one) => folded(one) === said));
}

/** A command word has at most 50 characters. The rest is room for punctuation and whitespace around the word. */
const mostCharacters = 200;

const order: readonly Word[] = ["stop", "restart", "start"];

function folded(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/[.!?…。！？]+$/u, "")
    .trim()
    .toLowerCase();
}
