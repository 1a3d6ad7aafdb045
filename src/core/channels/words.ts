/** Words of a contact that mean something to the connection itself. */
export type Word = "stop" | "restart" | "start";

export type Words = Readonly<Record<Word, readonly string[]>>;

/** The word that a whole message is; case and final punctuation do not count. */
export function wordIn(text: string, words: Words): Word | undefined {
  const said = folded(text);
  if (said === "") return undefined;
  return order.find((word) => words[word].some((one) => folded(one) === said));
}

const order: readonly Word[] = ["stop", "restart", "start"];

function folded(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/[.!?…。！？]+$/u, "")
    .trim()
    .toLowerCase();
}
