import { at, filledTextAt, listAt, textAt } from "./read.ts";
import { plainText } from "./rich-text.ts";
import { type Bubble, type Input, isOver, pauseOf, type Reply, type Step } from "./step.ts";

/** An entry of the conversation. */
export type Entry =
  | ({ readonly kind: "bubble"; readonly bubble: Bubble } & WithAvatar & WithTime)
  | ({ readonly kind: "answer"; readonly answer: Answer } & WithAvatar & WithTime)
  /** A message of the page itself, or a link for the visitor. */
  | { readonly kind: "note"; readonly text: string; readonly link?: string }
  /** A component in the conversation, such as a question that an action asks the visitor. */
  | { readonly kind: "question"; readonly View: () => object };

/** The avatar at the time of the entry, because a later step may change it. Defaults to the theme's avatar. */
export type WithAvatar = { readonly avatar?: string };

/** The time of an answer, or of the last bubble of a step. */
export type WithTime = { readonly at?: string | undefined };

/** The visitor's answer, as it is shown. */
export type Answer = {
  readonly text: string;
  /** The input that was answered. */
  readonly asked: Input;
  /** The reply as it was sent, if it is a text. */
  readonly reply?: string;
  /** A payment that replaces a reply. */
  readonly paid?: unknown;
  /** Whether the visitor skipped the input. */
  readonly isSkipped?: boolean;
  readonly files: readonly string[];
  /** The names of stored files, by their URLs, if the service sends the names. */
  readonly fileNames?: Readonly<Record<string, string>>;
  /** The URLs or SVG texts of the chosen pictures. */
  readonly pictures?: readonly string[];
  readonly audioUrl?: string | undefined;
  /** Whether the answer is still being sent. */
  readonly isUnderWay?: boolean;
};

/** The current state of a chat, as a page shows it. */
export type Conversation = Readonly<ReturnType<typeof conversationOf>>;

/** Returns the chat after these steps. A rejected answer appears only as the reason and the draft. */
export function conversationOf(steps: readonly Step[]) {
  const last = steps.at(-1);
  const refusal = last && refusalOf(last, steps.at(-2));
  const entries: readonly Entry[] = steps.flatMap((step, index) => entriesOf(step, steps[index - 1]));
  return {
    entries,
    input: last?.input,
    pause: last && pauseOf(last),
    /** Why the service rejected the last answer, which is shown next to the field. */
    refusal,
    /** The text of the rejected answer, for correction. */
    draft: refusal === undefined ? undefined : last?.reply?.text,
    progress: steps.findLast(({ progress }) => progress !== undefined)?.progress ?? 0,
    isEnded: last !== undefined && isOver(last),
  };
}

/** Returns the entries that a step adds to the conversation. A step that rejects an answer adds no entries. */
export function entriesOf(step: Step, before: Step | undefined): Entry[] {
  if (refusalOf(step, before) !== undefined) return [];
  const isSaid = before?.input && !step.isTimeOver;
  const answer = isSaid && answerOf(step.reply, before.input, step.storedReply, step.paid);
  const { fileNames } = step;
  return [
    ...(answer
      ? [
          {
            kind: "answer",
            answer: { ...answer, fileNames },
            at: step.createdAt,
            ...avatarIn(before, "guestAvatarUrl"),
          } as const,
        ]
      : []),
    ...step.messages.map((bubble) => bubbleEntry(step, bubble)),
  ];
}

/** Converts a bubble of a step to an entry of the conversation. */
export function bubbleEntry(step: Step, bubble: Bubble) {
  const at = bubble === step.messages.at(-1) ? step.createdAt : undefined;
  return { kind: "bubble", bubble, at, ...avatarIn(step, "hostAvatarUrl") } as const;
}

/** Returns the avatar that a step sets for the bot, or for the visitor in the next answer. */
export function avatarIn(step: Step | undefined, name: "hostAvatarUrl" | "guestAvatarUrl"): WithAvatar {
  const avatar = step?.dynamicTheme?.[name];
  return avatar === undefined ? {} : { avatar };
}

/**
 * Returns why a step asks for the same input again: the text of the rejection, or the code of the service's own
 * message. Returns undefined if the step does not ask again. The message of a rejection has the input's id.
 */
export function refusalOf({ messages, input }: Step, before: Step | undefined): string | undefined {
  const [message] = messages;
  if (!message || !before?.input || message.id !== before.input.id || input?.id !== before.input.id) return undefined;
  return textAt(message.notice, "code") ?? plainText(listAt(message.content, "richText")).trim();
}

/**
 * Converts the reply to an input into the form that is shown. Without a reply, the input was paid or skipped. Returns
 * undefined for commands.
 */
export function answerOf(reply: Reply | null, asked: Input, storedReply?: string, paid?: unknown): Answer | undefined {
  if (reply === null) return { text: "", files: [], asked, paid, isSkipped: !paid };
  if (reply.type === "command") return undefined;
  if (reply.type === "audio") return { text: "", files: [], asked, audioUrl: reply.text };
  if (asked.type === "file input" || asked.type === "signature input")
    return { text: "", files: reply.files.length > 0 ? reply.files : urlsIn(reply.text), asked };
  const pictures = picturesOf(reply, asked);
  if (pictures.length > 0) return { text: labelOf(reply, asked) ?? "", files: [], asked, pictures };
  // A choice is shown by its label, because its id or value has no meaning for people. A phone number is shown without
  // a repeated prefix. A date that was not chosen in a date picker is shown as the service parsed it.
  const isRead = listAt(asked, "items").length > 0 || ["phone number input", "date input"].includes(asked.type);
  const text = labelOf(reply, asked) ?? labelsOf(reply, asked) ?? (isRead ? storedReply : undefined) ?? reply.text;
  // The picture of a card is not a file of the visitor.
  return { text, reply: reply.text, files: asked.type === "cards" ? [] : reply.files, asked };
}

/**
 * Returns a list with the picture of the chosen item if it is a card or a picture without a title. Otherwise, the list
 * is empty.
 */
function picturesOf({ replyId, text }: Reply, input: Input): string[] {
  const item = listAt(input, "items").find((one) => hasId(one, replyId ?? text));
  const isUntitled = input.type === "picture choice input" && filledTextAt(item, "title") === undefined;
  const picture = filledTextAt(item, input.type === "cards" ? "imageUrl" : "pictureSrc");
  return picture !== undefined && (isUntitled || input.type === "cards") ? [picture] : [];
}

/**
 * Returns the labels of the chosen items of a multiple choice. Undefined for any other input, or if a part of the
 * answer has no label.
 */
function labelsOf({ text }: Reply, input: Input): string | undefined {
  if (at(input, "options", "isMultipleChoice") !== true) return undefined;
  const names = text.split(", ").map((part) => {
    const item = listAt(input, "items").find((one) =>
      ["value", "content", "title", "pictureSrc", "id"].some((name) => filledTextAt(one, name) === part),
    );
    return filledTextAt(item, "content") ?? filledTextAt(item, "title");
  });
  return names.every((name) => name !== undefined) ? names.join(", ") : undefined;
}

/**
 * Returns the label of the chosen item, which may differ from its value. Undefined if the reply names no item, or if
 * the item has no label.
 */
function labelOf({ replyId, text }: Reply, input: Input): string | undefined {
  const items = listAt(input, "items");
  if (items.length === 0) return undefined;
  const chosen =
    items.find((item) => replyId !== undefined && hasId(item, replyId)) ?? items.find((item) => hasId(item, text));
  if (chosen === undefined) return undefined;
  const path = listAt(chosen, "paths").find((one) => textAt(one, "id") === (replyId ?? text));
  return filledTextAt(chosen, "content") ?? filledTextAt(chosen, "title") ?? filledTextAt(path, "text");
}

function hasId(item: unknown, id: string): boolean {
  return textAt(item, "id") === id || listAt(item, "paths").some((path) => textAt(path, "id") === id);
}

function urlsIn(text: string): string[] {
  return text.split(", ").filter((url) => url !== "");
}
