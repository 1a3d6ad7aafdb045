import type { MessageActs, Rating } from "../../components/message-acts/acts.ts";
import { View } from "../../components/message-acts/View.tsx";
import { flagAt, numberAt, textAt } from "../../conversation/read.ts";
import type { Message, Reply } from "../../conversation/step.ts";
import { type Bubble, newKey, readSession, type Step } from "../../conversation/step.ts";
import type { Entry } from "../../conversation/transcript.ts";
import type { Chat } from "../chat-state.ts";
import { exchange } from "../exchange.ts";
import { asRefused, Refused } from "../transport.ts";
import { lastSeenOf } from "./last-seen.ts";

/** Returns the actions on messages that a chat's bot offers. */
export function actsOf(chat: Chat): MessageActs {
  const { canCopy = false, isRated, areTimesShown = false } = chat.settings.answers;
  const { note = () => {}, divide = () => {} } = areTimesShown ? lastSeenOf(chat) : {};
  const goBack = async (): Promise<void> => (await import("../controls.ts")).controls.goBack(chat, "");
  return {
    View,
    canCopy,
    areTimesShown,
    onShown: note,
    divide,
    mayTryAgain: (entry) => mayTryAgain(chat, entry),
    tryAgain: () => tryAgain(chat),
    rate: isRated ? (entry, rating) => rate(chat, entry, rating) : undefined,
    ratingOf: (entry) => ratingOf(chat, entry),
    edit: chat.settings.mayGoBack ? goBack : undefined,
  };
}

/**
 * Whether the visitor may request another answer for this entry. The last step must allow this. The entry must be the
 * step's last answer, or its last message if the step contains no answer.
 */
function mayTryAgain({ steps }: Chat, entry: Entry): boolean {
  const { canTryAgain, messages = [] } = steps.at(-1) ?? {};
  if (!canTryAgain || entry.kind !== "bubble") return false;
  const answer = messages.findLast(({ isAnswer, unfinished }) => isAnswer || unfinished) ?? messages.at(-1);
  return entry.bubble === answer;
}

/**
 * Rates an answer. Returns whether the service stored the rating. If the page does not have the number of the answer's
 * step, the number is read from the service.
 */
async function rate(chat: Chat, entry: Entry, rating: Rating): Promise<boolean> {
  const { session, transport } = chat;
  if (!session || entry.kind !== "bubble") return false;
  const blockId = entry.bubble.id;
  const revision = revisionOf(chat, entry) ?? (await readRevision(chat, session.id, entry.bubble));
  if (revision === undefined) return false;
  const response = await transport
    .post(`/api/v1/sessions/${session.id}/rating`, { ...rating, blockId, revision }, newKey())
    .catch(asRefused);
  return !(response instanceof Refused);
}

/**
 * Returns the rating that an answer had when the chat was read; null if the answer had no rating or the number of its
 * step is unknown.
 */
function ratingOf(chat: Chat, entry: Entry): boolean | null {
  const revision = revisionOf(chat, entry);
  if (revision === undefined || entry.kind !== "bubble") return null;
  const isOfIt = (one: unknown): boolean =>
    numberAt(one, "revision") === revision && textAt(one, "blockId") === entry.bubble.id;
  return flagAt(chat.ratings?.find(isOfIt), "isGood") ?? null;
}

function revisionOf({ steps }: Chat, entry: Entry): number | undefined {
  return entry.kind === "bubble" ? steps.find(({ messages }) => messages.includes(entry.bubble))?.revision : undefined;
}

async function readRevision(
  { steps, transport }: Chat,
  sessionId: string,
  bubble: Bubble,
): Promise<number | undefined> {
  const behind = steps
    .flatMap(ofBlock(bubble.id))
    .toReversed()
    .findIndex((one) => one.bubble === bubble);
  const read = await transport.read(sessionId).then(readSession).catch(asRefused);
  if (read instanceof Refused || behind < 0) return undefined;
  return read.steps.flatMap(ofBlock(bubble.id)).toReversed()[behind]?.revision;
}

function ofBlock(blockId: string) {
  return ({ messages, revision }: Step) =>
    messages.filter(({ id }) => id === blockId).map((bubble) => ({ bubble, revision }));
}

/** Requests another answer to the visitor's last message. */
async function tryAgain(chat: Chat): Promise<void> {
  const { view, steps, isBusy } = chat;
  const { reply, canTryAgain } = steps.at(-1) ?? {};
  if (isBusy || !canTryAgain || !reply) return;
  const { entries } = view.state();
  chat.steps = steps.slice(0, -1);
  view.update({
    entries: entries.slice(
      0,
      entries.findLastIndex(({ kind }) => kind === "answer"),
    ),
  });
  return exchange(chat, {
    message: messageOf(reply),
    key: newKey(),
    isAgain: true,
    afterRevision: chat.revision,
  });
}

/** Converts a reply from a history to the message that was sent. */
function messageOf({ type, text, replyId, files }: Reply): Message {
  if (type === "audio") return { type, url: text };
  const attachedFileUrls = files.length > 0 && { attachedFileUrls: files };
  return { type: "text", text, ...attachedFileUrls, ...(replyId !== undefined && { metadata: { replyId } }) };
}
