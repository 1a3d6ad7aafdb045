import { matchMany, matchOne } from "../blocks/inputs/matching/choice-matching.ts";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import type { MessageBody } from "../interpreter/program/message.ts";
import type { Content } from "./channel.ts";
import { namedItems, type Offered } from "./matching.ts";
import { shownTitles } from "./titles.ts";

/** A contact's message, converted for the chat. */
export type Told =
  | { readonly kind: "reply"; readonly message: MessageBody }
  /** A file that must be fetched first. `text` is sent together with the file. */
  | { readonly kind: "file"; readonly as: "answer" | "attachment" | "clip" | "address"; readonly text: string }
  /** A message that the chat ignores. */
  | { readonly kind: "nothing" };

export type Waiting = {
  /** The input as the chat receives it. Absent if no input is waiting. */
  readonly input?: unknown;
  /** The commands of the flow's command events. */
  readonly commands: ReadonlySet<string>;
  /**
   * The maximum length of the titles that the channel shows. A contact may type a title in its shortened or numbered
   * form.
   */
  readonly titleCharacters: number;
};

export function toldBy(content: Content, waiting: Waiting): Told {
  const { input, commands, titleCharacters } = waiting;
  switch (content.kind) {
    case "text":
      return { kind: "reply", message: replyTo(content.text, input, titleCharacters) };
    case "command": {
      const { command, payload } = content;
      if (commands.has(command)) return { kind: "reply", message: { type: "command", command } };
      return { kind: "reply", message: replyTo(`/${command}${payload && ` ${payload}`}`, input, titleCharacters) };
    }
    case "media":
      return fileFor(content, waiting);
    case "location": {
      const place = `${content.latitude}, ${content.longitude}`;
      const isLong = valueAt(input, "options", "isLong") === true;
      const lines = [place, ...(isLong ? [content.name ?? "", content.address ?? ""] : [])];
      return { kind: "reply", message: lines.filter((line) => line !== "").join("\n") };
    }
    case "card": {
      const { name, phone, email } = content;
      const type = textAt(input, "type");
      if (type === "phone number input" && phone !== undefined) return { kind: "reply", message: phone };
      if (type === "email input" && email !== undefined) return { kind: "reply", message: email };
      const parts = [name, phone ?? email ?? ""].filter((part) => part !== "");
      return { kind: "reply", message: parts.join(", ") };
    }
    case "unsupported":
      return { kind: "nothing" };
  }
}

/**
 * Converts typed text to a reply to the input. The block reads the text in the same way as on a web page. If the block
 * does not recognise the text, an item is matched by its title, ignoring case, or by its number.
 */
export function replyTo(text: string, input: unknown, titleCharacters: number): MessageBody {
  const isSeveral = valueAt(input, "options", "isMultipleChoice") === true;
  const items = offeredItems(input);
  const own = items.map(({ id, title, value }) => ({ id, content: title, value }));
  if (items.length === 0 || (isSeveral ? matchMany(own, text).length > 0 : matchOne(own, { text }))) return text;
  const isSearchable = valueAt(input, "options", "isSearchable") === true;
  const shown = shownTitles(
    items.map(({ title }) => title),
    titleCharacters,
  );
  const named =
    namedItems(text, { items, isSeveral, isSearchable }) ??
    namedItems(text, {
      items: items.map((item, at) => ({ ...item, title: shown[at] ?? "" })),
      isSeveral,
      isSearchable,
    });
  if (named === undefined) return text;
  const ids = named.map(({ id }) => id).join(", ");
  return { type: "text", text: ids, ...(!isSeveral && { metadata: { replyId: ids } }) };
}

/** Returns whether typed text names an item of the input. Returns null if the input has no items. */
export function namesItem(text: string, input: unknown, titleCharacters: number): boolean | null {
  const items = offeredItems(input);
  if (items.length === 0) return null;
  const own = items.map(({ id, title, value }) => ({ id, content: title, value }));
  const isSeveral = valueAt(input, "options", "isMultipleChoice") === true;
  const isUnderstood = isSeveral ? matchMany(own, text).length > 0 : matchOne(own, { text }) !== undefined;
  return isUnderstood || typeof replyTo(text, input, titleCharacters) !== "string";
}

/** Returns whether typed text is the title of an offered item. Ignores surrounding white space. */
export function isOfferedTitle(text: string, input: unknown): boolean {
  return offeredItems(input).some(({ title }) => title.trim() === text.trim());
}

type OwnItem = Offered & { readonly value: string | undefined };

/** Returns the items of a choice or the buttons of cards. */
function offeredItems(input: unknown): OwnItem[] {
  const type = textAt(input, "type");
  const items = objectsIn(valueAt(input, "items"));
  if (type === "cards") {
    return items.flatMap((card) => objectsIn(card["paths"])).map((path) => itemOf(path, textAt(path, "text")));
  }
  if (type === "choice input") return items.map((item) => itemOf(item, textAt(item, "content")));
  if (type === "picture choice input") {
    return items.map((item) => itemOf(item, textAt(item, "title") || textAt(item, "pictureSrc")));
  }
  return [];
}

function itemOf(item: JsonObject, title = ""): OwnItem {
  return { id: textAt(item, "id") ?? "", title, value: textAt(item, "value") };
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function fileFor(
  { media, caption = "" }: Extract<Content, { kind: "media" }>,
  { input, titleCharacters }: Waiting,
): Told {
  const type = textAt(input, "type");
  const isOn = (part: string) => valueAt(input, "options", part, "isEnabled") === true;
  if (type === "file input" || type === "signature input") return { kind: "file", as: "answer", text: caption };
  if (type !== "text input") return { kind: "reply", message: replyTo(caption, input, titleCharacters) };
  if ((media === "voice" || media === "audio") && isOn("audioClip")) return { kind: "file", as: "clip", text: caption };
  if (isOn("attachments")) return { kind: "file", as: "attachment", text: caption };
  return caption === "" ? { kind: "file", as: "address", text: "" } : { kind: "reply", message: caption };
}
