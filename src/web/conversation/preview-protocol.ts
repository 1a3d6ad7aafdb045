import { type DrawnPairs, drawnNames } from "../../core/theme/drawn-things.ts";
import { at, numberAt, textAt } from "./read.ts";
import type { Message } from "./step.ts";

/**
 * The protocol between the frame of a preview and the page around it. The page greets the frame once, with a message
 * that contains a port; all later messages use this port. The frame has no credential: it sends requests, and the page
 * calls the service.
 *
 *     page  → frame  Greeting, by `postMessage` with the port
 *     page  → frame  `show`: a chat that was started, or a session
 *     page  → frame  `dress`: the bot's current theme and settings
 *     page  → frame  `recall`: the conversation of a result; `save`: requests its document
 *     page  → frame  `embed`: the snippet in the page of a site
 *     frame → page   `say`, `goBack`, `read` or `start`, each with an id
 *     page  → frame  `answer` or `refusal`, with the id of the request
 *     frame → page   `log`, `shown`, `pressed`, `document` or `drawn`, without a response
 */
export type Greeting = { readonly kind: typeof greetingKind };
export const greetingKind = "parley-preview";

/** A parameter in the URL of the frame: an origin with plain HTTP that the flow calls and the policy must allow. */
export const calledParameter = "calls";

/** The parts of a page that can be pressed, innermost first. Each part has its own section in a theme. */
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

/** The color scheme in which a page is shown; undefined for the author's own color scheme. */
export type Scheme = "light" | "dark" | undefined;

/** The conversation of a result, in the form in which the service stores it (`format=rich` of its transcript). */
export type Recalled = {
  readonly chats: readonly RecalledChat[];
  /**
   * The content of the visitor's private media files as `data:` URLs, by file URL, as far as their total size allows.
   * The files cannot be read by their URLs.
   */
  readonly files: Readonly<Record<string, string>>;
  /** A label before the name of a file that is no longer stored. */
  readonly removedLabel: string;
};

export type RecalledChat = {
  readonly chat: unknown;
  /** The text above the chat: the time at which the chat started, and a note if a part of the chat is missing. */
  readonly title: string;
  /** Notes about parts that the page did not show, in order, by the index of their step. */
  readonly notes: Readonly<Record<number, readonly StepNote[]>>;
};

export type StepNote = {
  readonly text: string;
  /** The number of the step's messages that precede this note. */
  readonly after: number;
};

/** The messages from the page to the frame. */
export type ToFrame =
  /** Shows the response of a start, or a session with its conversation. */
  | { readonly kind: "show"; readonly what: "start" | "session"; readonly chat: unknown }
  /** Applies a bot's theme and settings to the displayed chat. */
  | { readonly kind: "dress"; readonly number: number; readonly bot: unknown; readonly scheme: Scheme }
  /** Shows a result as its visitor saw it. The chat does not continue. */
  | ({ readonly kind: "recall" } & Recalled)
  /** Requests the document of a recalled conversation, as a single file. */
  | { readonly kind: "save" }
  /** Shows the embed that an author adds to a page. With `isOpen`, a bubble is open from the start. */
  | { readonly kind: "embed"; readonly snippet: string; readonly isOpen: boolean }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly code: string; readonly message: string };

/** The messages from the frame to the page. */
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
  /** Starts a chat, or starts it again. */
  | { readonly kind: "start"; readonly id: number }
  /** Reports a failure in the frame. The page does not respond. */
  | { readonly kind: "log"; readonly description: string; readonly details: string }
  /** The chat has been drawn. */
  | { readonly kind: "shown" }
  | { readonly kind: "pressed"; readonly part: PagePart }
  /** The document of a recalled conversation. */
  | { readonly kind: "document"; readonly html: string }
  /** The colors of the drawn page, after the theme with this number was applied. */
  | { readonly kind: "drawn"; readonly number: number; readonly pairs: DrawnPairs };

/**
 * Reads a message from a frame. Returns undefined if it is not a message of this protocol. Its content is not trusted,
 * because an author's code runs in the frame.
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

/** The most characters of a document, which is enough for a conversation with thousands of messages and pictures. */
const mostDocumentCharacters = 100_000_000;

function readPairs(value: unknown): DrawnPairs {
  const pairs = drawnNames.flatMap((name) => {
    const [color = "", behind = ""] = [textAt(value, name, "color"), textAt(value, name, "behind")];
    return [color, behind].every((one) => /^#[\da-f]{6}$/.test(one)) ? [[name, { color, behind }] as const] : [];
  });
  return Object.fromEntries(pairs);
}

/**
 * Whether a value is a message of the surrounding page. The page is trusted, because the frame's policy allows only the
 * builder as the surrounding page.
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
