import type { Act, Channel, ProviderMessage } from "../../core/channels/channel.ts";
import { piecesOfSteps } from "../../core/channels/index.ts";
import { joined, plainText } from "../../core/channels/marked-text.ts";
import type { Ask, Loss, Piece } from "../../core/channels/pieces.ts";
import type { Texts } from "../../core/channels/texts.ts";
import { valueAt } from "../../core/interpreter/flow.ts";
import { type Typing, typingMs } from "../../core/interpreter/schemas/typing.ts";
import { limits } from "../../limits/index.ts";

/** A message that waits to be sent to a contact. */
export type RenderedSending = {
  readonly id: string;
  readonly message: ProviderMessage;
  /** The action of each button of the message, by the button's token. */
  readonly choices: Readonly<Record<string, Act>>;
  /** Milliseconds between the previous message and this message. */
  readonly delayMs: number;
};

export type RenderedStep = {
  readonly sendings: readonly RenderedSending[];
  /** Why the contact sees less than the author wrote. */
  readonly losses: readonly Loss[];
  /** The number of messages that exceed the limit per step. */
  readonly leftOut: number;
};

type Shown = {
  readonly texts: Texts;
  readonly isGroup: boolean;
  /** The bot's typing pauses; undefined if messages do not wait for typing. */
  readonly typing: Typing | undefined;
  /** Whether the first message appears without a typing pause. */
  readonly isImmediate: boolean;
  newId(): string;
};

/**
 * Renders the messages of a step from its stored response, without messages that the response repeats from earlier
 * steps.
 */
export function renderStep(
  channel: Channel,
  response: unknown,
  { texts, isGroup, typing, isImmediate, newId }: Shown,
): RenderedStep {
  const sendings: RenderedSending[] = [];
  const losses = new Set<Loss>();
  let delayMs = 0;
  for (const piece of piecesOf(response)) {
    if (piece.kind === "wait") {
      delayMs = longest(delayMs + piece.seconds * 1_000);
      continue;
    }
    const holderId = newId();
    const made = channel.render(piece, { texts, isGroup, token: (index) => `${holderId}.${index}` });
    for (const loss of made.losses) losses.add(loss);
    const isTyped = made.messages.length > 0 && !(isImmediate && sendings.length === 0);
    if (typing && isTyped) delayMs = longest(delayMs + typingMsOf(piece, typing, sendings.length > 0));
    for (const [index, message] of made.messages.entries()) {
      // The buttons of a piece appear below its last message and refer to this message.
      const isLast = index === made.messages.length - 1;
      const choices = isLast ? Object.fromEntries(made.acts) : {};
      sendings.push({ id: isLast ? holderId : newId(), message, choices, delayMs });
      delayMs = 0;
    }
  }
  const most = limits.channels.sendingsPerStep;
  const leftOut = Math.max(0, sendings.length - most);
  return { sendings: sendings.slice(0, most), losses: [...losses], leftOut };
}

function longest(delayMs: number): number {
  return Math.min(limits.channels.longestDelayMs, Math.round(delayMs));
}

/** Returns the pause in ms before a piece. As on a page, a question without a text of its own takes no time to type. */
function typingMsOf(piece: Piece, typing: Typing, isBetween: boolean): number {
  const betweenMs = isBetween ? typing.betweenBubblesMs : 0;
  return Math.min(limits.channels.longestTypingMs, betweenMs + ownMs(piece, typing));
}

function ownMs(piece: Piece, typing: Typing): number {
  switch (piece.kind) {
    case "text":
      return typingMs(piece.text.text, typing);
    case "question":
      return piece.body ? typingMs(piece.body.text, typing) : 0;
    default:
      return typingMs(undefined, typing);
  }
}

/**
 * Renders the question of a step as text with numbered choices, for a provider that rejected the original form. Returns
 * undefined if the step has no question or the question has neither text nor choices.
 */
export function renderPlainQuestion(
  channel: Channel,
  response: unknown,
  { texts, isGroup }: Pick<Shown, "texts" | "isGroup">,
): ProviderMessage | undefined {
  const piece = piecesOf(response).at(-1);
  if (piece?.kind !== "question") return undefined;
  const titles = titlesOf(piece.ask).slice(0, limits.channels.itemsShown);
  const numbered = plainText(titles.map((title, index) => `${index + 1}. ${title}`).join("\n"));
  const text = joined([piece.body ?? plainText(""), numbered]);
  if (text.text === "") return undefined;
  return channel.render({ kind: "text", text }, { texts, isGroup, token: () => "" }).messages[0];
}

function titlesOf(ask: Ask): string[] {
  switch (ask.kind) {
    case "choice":
    case "pictures":
      return ask.items.map(({ title }) => title);
    case "cards":
      return ask.cards.flatMap(({ title, paths }) => (paths.length === 0 ? [title] : paths.map((path) => path.title)));
    default:
      return [];
  }
}

function piecesOf(response: unknown): Piece[] {
  const part = (name: string): readonly unknown[] => {
    const list = valueAt(response, name);
    const repeated = valueAt(response, "repeated", name);
    return Array.isArray(list) ? list.slice(typeof repeated === "number" ? repeated : 0) : [];
  };
  return piecesOfSteps([
    { messages: part("messages"), clientSideActions: part("clientSideActions"), input: valueAt(response, "input") },
  ]);
}
