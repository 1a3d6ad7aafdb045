import { type DrawnPairs, drawnNames } from "../../core/theme/drawn-things.ts";
import { at, numberAt, textAt } from "./read.ts";
import type { Message } from "./step.ts";

/**
 * The protocol between the frame of a preview and the page around it. The page greets the frame once, by a message with
 * a port; all later messages use that port alone. The frame holds no credential: it asks, and the page calls the
 * service.
 *
 *     page  → frame  Greeting, by `postMessage` with the port
 *     page  → frame  Shown: the chat that was started
 *     page  → frame  Dressed: the bot's theme and settings as they are now
 *     page  → frame  Embedded: the snippet in the page of a site
 *     frame → page   Asked, each with a number
 *     page  → frame  Answered, with that number
 */
export type Greeting = { readonly kind: typeof greetingKind };
export const greetingKind = "parley-preview";

/**
 * A parameter in the address of the frame: an origin of plain http that the flow calls, which the policy has to name.
 */
export const calledParameter = "calls";

/** The parts of a page that can be pressed, the innermost first: each part has its own place in a theme. */
export const pageParts = [
  "progress",
  "header",
  "avatars",
  "buttons",
  "inputs",
  "hostBubbles",
  "guestBubbles",
  "page",
] as const;
export type PagePart = (typeof pageParts)[number];

/** The screens for which a page is shown; undefined: the author's own. */
export type Scheme = "light" | "dark" | undefined;

/** The conversation of a result, in the form in which the service stores it (`format=rich` of its transcript). */
export type Recalled = {
  readonly chats: readonly RecalledChat[];
  /** Private files of the visitor, which cannot be read at their address: their content as `data:`, by address. */
  readonly files: Readonly<Record<string, string>>;
  /** A label before the name of a file that is no longer stored. */
  readonly removedLabel: string;
};

export type RecalledChat = {
  readonly chat: unknown;
  /** The time when the chat began. */
  readonly title: string;
  /** The parts that the page did not show, by the index of their step, in order. */
  readonly notes: Readonly<Record<number, readonly StepNote[]>>;
};

export type StepNote = {
  readonly text: string;
  /** The number of the step's messages before this part. */
  readonly after: number;
};

/** The messages of the page to the frame. */
export type ToFrame =
  /** The response of a start, or a session with its conversation. */
  | { readonly kind: "show"; readonly what: "start" | "session"; readonly chat: unknown }
  /** A bot with theme and settings, which the shown chat uses from now on. */
  | { readonly kind: "dress"; readonly number: number; readonly bot: unknown; readonly scheme: Scheme }
  /** A result as its visitor saw it. It does not continue. */
  | ({ readonly kind: "recall" } & Recalled)
  /** Requests the document of a recalled conversation, as one file. */
  | { readonly kind: "save" }
  /** The embed that an author puts into a page. An embed that can be opened may be open at first. */
  | { readonly kind: "embed"; readonly snippet: string; readonly isOpen: boolean }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly code: string; readonly message: string };

/** The requests of the frame to the page. */
export type FromFrame =
  | {
      readonly kind: "say";
      readonly id: number;
      readonly message: Message;
      readonly key: string;
      /** The number of the last step that the chat shows, if the service sends it. */
      readonly afterRevision?: number | undefined;
    }
  | { readonly kind: "goBack"; readonly id: number; readonly key: string }
  | { readonly kind: "read"; readonly id: number }
  /** The visitor starts again. */
  | { readonly kind: "start"; readonly id: number }
  /** A failure in the frame. It gets no answer. */
  | { readonly kind: "log"; readonly description: string; readonly details: string }
  /** The chat is drawn. */
  | { readonly kind: "shown" }
  | { readonly kind: "pressed"; readonly part: PagePart }
  /** The document of a recalled conversation. */
  | { readonly kind: "document"; readonly html: string }
  /** The colours of the drawn page, after the dressing with this number. */
  | { readonly kind: "drawn"; readonly number: number; readonly pairs: DrawnPairs };

/**
 * Reads a request of a frame, in which an author's code runs: its content is not trusted. Undefined for any other
 * message.
 */
export function readFromFrame(value: unknown): FromFrame | undefined {
  const kind = textAt(value, "kind");
  const id = at(value, "id");
  const key = textAt(value, "key") ?? "";
  if (kind === "shown") return { kind };
  if (kind === "pressed") {
    const part = pageParts.find((one) => one === at(value, "part"));
    return part && { kind, part };
  }
  if (kind === "document") return { kind, html: (textAt(value, "html") ?? "").slice(0, mostDocumentCharacters) };
  if (kind === "drawn") {
    const number = numberAt(value, "number");
    return number === undefined ? undefined : { kind, number, pairs: readPairs(at(value, "pairs")) };
  }
  if (kind === "log") {
    const [description = "", details = ""] = [textAt(value, "description"), textAt(value, "details")];
    return { kind, description: description.slice(0, 1_000), details: details.slice(0, 1_000) };
  }
  if (typeof id !== "number") return undefined;
  if (kind === "read" || kind === "start") return { kind, id };
  if (!/^[\w-]{8,64}$/.test(key)) return undefined;
  if (kind === "goBack") return { kind, id, key };
  if (kind !== "say") return undefined;
  return { kind, id, key, message: readMessage(at(value, "message")), afterRevision: numberAt(value, "afterRevision") };
}

/** The size of a conversation of thousands of messages with its pictures. */
const mostDocumentCharacters = 100_000_000;

function readPairs(value: unknown): DrawnPairs {
  const pairs = drawnNames.flatMap((name) => {
    const [color = "", behind = ""] = [textAt(value, name, "color"), textAt(value, name, "behind")];
    return [color, behind].every((one) => /^#[\da-f]{6}$/.test(one)) ? [[name, { color, behind }] as const] : [];
  });
  return Object.fromEntries(pairs);
}

/**
 * Whether it is a message of the surrounding page, which is trusted: the frame's policy allows only the builder to be
 * that page.
 */
export function isToFrame(value: unknown): value is ToFrame {
  return ["show", "recall", "save", "dress", "embed", "answer", "refusal"].includes(textAt(value, "kind") ?? "");
}

export function readMessage(value: unknown): Message {
  const type = textAt(value, "type");
  if (type === "audio") return { type, url: textAt(value, "url") ?? "" };
  if (type === "command") return { type, command: textAt(value, "command") ?? "" };
  if (type !== "text") return null;
  const files = at(value, "attachedFileUrls");
  const replyId = textAt(value, "metadata", "replyId");
  return {
    ...{ type, text: textAt(value, "text") ?? "" },
    ...(Array.isArray(files) && { attachedFileUrls: files.filter((file) => typeof file === "string") }),
    ...(replyId !== undefined && { metadata: { replyId } }),
  };
}
