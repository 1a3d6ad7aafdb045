import { at, filledTextAt, listAt, textAt } from "./read.ts";
import { plainText } from "./rich-text.ts";
import { type Bubble, type Input, isOver, type Pause, pauseOf, type Reply, type Step } from "./step.ts";

/** One thing that was said. */
export type Entry =
  | ({ readonly kind: "bubble"; readonly bubble: Bubble } & WithAvatar)
  | ({ readonly kind: "answer"; readonly answer: Answer } & WithAvatar)
  /** A sentence of the page's own, or a link that the visitor is to follow. */
  | { readonly kind: "note"; readonly text: string; readonly link?: string };

/** Who said it looked so then: a later step may have another avatar. Absent: as the theme says. */
export type WithAvatar = { readonly avatar?: string };

/** What the visitor said, as it reads. */
export type Answer = {
  readonly text: string;
  readonly files: readonly string[];
  /** Addresses or drawings of what was chosen. */
  readonly pictures?: readonly string[];
  readonly audioUrl?: string | undefined;
  /** It has not arrived yet. */
  readonly isUnderWay?: boolean;
};

/** A chat as it stands: all that a page shows of it. */
export type Conversation = {
  readonly entries: readonly Entry[];
  readonly input: Input | undefined;
  readonly pause: Pause | undefined;
  /** Why the last answer was refused, as the service told it; shown beside the field. */
  readonly refusal: string | undefined;
  /** What the refused answer said, to be mended. */
  readonly draft: string | undefined;
  readonly progress: number;
  readonly isEnded: boolean;
};

/** How a chat stands after these steps. An answer that was refused is no part of it, but for its error. */
export function conversationOf(steps: readonly Step[]): Conversation {
  const last = steps.at(-1);
  const refusal = last && refusalOf(last, steps.at(-2));
  return {
    entries: steps.flatMap((step, index) => entriesOf(step, steps[index - 1])),
    input: last?.input,
    pause: last && pauseOf(last),
    refusal,
    draft: refusal === undefined ? undefined : last?.reply?.text,
    progress: steps.findLast(({ progress }) => progress !== undefined)?.progress ?? 0,
    isEnded: last !== undefined && isOver(last),
  };
}

/** What a step adds to what was said before it. */
export function entriesOf(step: Step, before: Step | undefined): Entry[] {
  if (refusalOf(step, before) !== undefined) return [];
  const answer = step.reply && before?.input ? answerOf(step.reply, before.input, step.storedReply) : undefined;
  return [
    ...(answer ? [{ kind: "answer", answer, ...guestOf(before) } as const] : []),
    ...step.messages.map((bubble) => ({ kind: "bubble", bubble, ...hostOf(step) }) as const),
  ];
}

/** How the bot looks in a step. */
export function hostOf(step: Step | undefined): WithAvatar {
  const avatar = step?.dynamicTheme?.hostAvatarUrl;
  return avatar === undefined ? {} : { avatar };
}

/** How the visitor looks who answers a step. */
export function guestOf(step: Step | undefined): WithAvatar {
  const avatar = step?.dynamicTheme?.guestAvatarUrl;
  return avatar === undefined ? {} : { avatar };
}

/** The sentence that asks for the same input again: it carries the input's id instead of a bubble's. */
export function refusalOf({ messages, input }: Step, before: Step | undefined): string | undefined {
  const [message] = messages;
  if (!message || !before?.input || message.id !== before.input.id || input?.id !== before.input.id) return undefined;
  return plainText(listAt(message.content, "richText")).trim();
}

/** How a reply to an input reads; undefined for what nobody said. */
export function answerOf(reply: Reply, input: Input, storedReply?: string): Answer | undefined {
  if (reply.type === "command") return undefined;
  if (reply.type === "audio") return { text: "", files: [], audioUrl: reply.text };
  if (input.type === "file input")
    return { text: "", files: reply.files.length > 0 ? reply.files : urlsIn(reply.text) };
  const pictures = picturesOf(reply, input);
  if (pictures.length > 0) return { text: labelOf(reply, input) ?? "", files: [], pictures };
  const text = labelOf(reply, input) ?? labelsOf(reply, input) ?? storedReply ?? reply.text;
  // The picture of a card is no file of the visitor's.
  return { text, files: input.type === "cards" ? [] : reply.files };
}

/** What was chosen where that has a picture and says more by it: a card, or a picture without a title. */
function picturesOf({ replyId, text }: Reply, input: Input): string[] {
  const item = listAt(input, "items").find((one) => hasId(one, replyId ?? text));
  const isUntitled = input.type === "picture choice input" && filledTextAt(item, "title") === undefined;
  const picture = filledTextAt(item, input.type === "cards" ? "imageUrl" : "pictureSrc");
  return picture !== undefined && (isUntitled || input.type === "cards") ? [picture] : [];
}

/** Whoever ticked several is shown their names, where the answer is made of nothing else. */
function labelsOf({ text }: Reply, input: Input): string | undefined {
  if (at(input, "options", "isMultipleChoice") !== true) return undefined;
  const names = text.split(", ").map((part) => {
    const item = listAt(input, "items").find((one) =>
      ["value", "content", "title", "pictureSrc"].some((name) => filledTextAt(one, name) === part),
    );
    return filledTextAt(item, "content") ?? filledTextAt(item, "title");
  });
  return names.every((name) => name !== undefined) ? names.join(", ") : undefined;
}

/** Whoever pressed a button is shown what stood on it, whatever it stands for. */
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
