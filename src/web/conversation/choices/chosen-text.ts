/**
 * Returns a text that selects the chosen items of an input; undefined if no item has a chosen id. For a single choice,
 * only the first chosen item is selected.
 *
 * The text consists of the items' texts. If one of them is also the text or id of another item, ignoring case and
 * blanks, it consists of the items' ids instead. If an id is also a word in another item's text or id, the texts are
 * used after all, because the id would select that item too. This file imports nothing, because the npm package also
 * contains it.
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
  // The service removes a matched id at its first occurrence. Shorter ids come first, because a shorter id may be the
  // start of a longer id.
  const sent = chosen.map(({ id = "" }) => id).toSorted((a, b) => a.length - b.length);
  return sent.join(", ");
}

/**
 * Returns the texts of the items that a text selects by their ids. Returns undefined if the text contains anything
 * except ids.
 */
export function wordsOfIds(items: readonly unknown[], text: string): string | undefined {
  const all = items.map(choosableOf);
  const named = text.split(", ").map((id) => all.find((one) => one.id === id)?.reply);
  return named.every((words) => words !== undefined) ? named.join(", ") : undefined;
}

type Choosable = ReturnType<typeof choosableOf>;

/** Returns the id and the texts of an item. Buttons have a content; pictures have a title or a URL. */
function choosableOf(item: unknown) {
  const id = textOf(item, "id");
  const value = textOf(item, "value");
  const content = textOf(item, "content");
  const title = textOf(item, "title") ?? textOf(item, "pictureSrc");
  const reply = value ?? content ?? title ?? id ?? "";
  const words = [value, content ?? title].filter((text) => text !== undefined);
  // A single picture has always been selected by its id.
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

/** Returns the words and numbers of a text in lower case, separated by blanks. */
function runs(text: string): string {
  return plain(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}

function textOf(item: unknown, name: string): string | undefined {
  const text: unknown = Object.getOwnPropertyDescriptor(Object(item), name)?.value;
  return typeof text === "string" && text !== "" ? text : undefined;
}
