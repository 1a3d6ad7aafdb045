/**
 * The text that means exactly the chosen items of an input. It consists of their words; if items have the same words,
 * ignoring case and blanks, as matching does, it consists of their ids. An id that is a word of another item's text or
 * id would mean that item, too: in that case the text consists of the words all the same. The service always stores and
 * shows the items' words. No imports: the npm package also contains this file.
 */
export function chosenText(items: readonly unknown[], ids: readonly string[], isMultiple: boolean): string | undefined {
  const all = items.map(choosableOf);
  const chosen = all.filter(({ id }) => id !== undefined && ids.includes(id));
  const [first] = chosen;
  if (!first) return undefined;
  const doubtful = isMultiple ? all : [first];
  const isShared = doubtful.some((one) => all.some((other) => other !== one && sharesWords(one, other)));
  const isClear = chosen.every((one) => all.every((other) => other === one || !mentions(other, one.id ?? "")));
  if (!isMultiple) return isShared && isClear ? first.id : first.onlyReply;
  if (!isShared || !isClear) return chosen.map(({ reply }) => reply).join(", ");
  // A matched id is removed at its first occurrence: shorter ids come first, as they may be the beginning of a longer
  // one.
  const sent = chosen.map(({ id = "" }) => id).toSorted((a, b) => a.length - b.length);
  return sent.join(", ");
}

/** The words of the items that a text names by their ids; undefined if it names none, or contains anything else. */
export function wordsOfIds(items: readonly unknown[], text: string): string | undefined {
  const all = items.map(choosableOf);
  const named = text.split(", ").map((id) => all.find((one) => one.id === id)?.reply);
  return named.every((words) => words !== undefined) ? named.join(", ") : undefined;
}

type Choosable = ReturnType<typeof choosableOf>;

/** Buttons have a content, pictures a title or an address. */
function choosableOf(item: unknown) {
  const id = textOf(item, "id");
  const value = textOf(item, "value");
  const content = textOf(item, "content");
  const title = textOf(item, "title") ?? textOf(item, "pictureSrc");
  const reply = value ?? content ?? title ?? id ?? "";
  const words = [value, content ?? title].filter((text) => text !== undefined);
  // A single picture has always been named by its id.
  return { id, reply, onlyReply: value ?? content ?? id ?? "", words };
}

function sharesWords(one: Choosable, other: Choosable): boolean {
  const theirs = [other.id ?? "", ...other.words].map(plain);
  return one.words.some((text) => theirs.includes(plain(text)));
}

function mentions({ id = "", words }: Choosable, name: string): boolean {
  return [id, ...words].some((text) => ` ${runs(text)} `.includes(` ${runs(name)} `));
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** The letters and digits of a text, without the characters between them. */
function runs(text: string): string {
  return plain(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}

function textOf(item: unknown, name: string): string | undefined {
  const text: unknown = Object.getOwnPropertyDescriptor(Object(item), name)?.value;
  return typeof text === "string" && text !== "" ? text : undefined;
}
