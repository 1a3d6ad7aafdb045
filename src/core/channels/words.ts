/** Words of a contact that the connection itself handles. */
export type Word = "stop" | "restart" | "start";

export type Words = Readonly<Record<Word, readonly string[]>>;

/** The word that a whole message consists of; case and final punctuation do not count. */
export function wordIn(text: string, words: Words): Word | undefined {
  // Words are short; a long text is not searched for its final punctuation.
  if (text.length > mostCharacters) return undefined;
  const said = folded(text);
  if (said === "") return undefined;
  return order.find((word) => words[word].some((one) => folded(one) === said));
}

/** A word has at most 50 characters, plus some room for punctuation and blanks around it. */
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
