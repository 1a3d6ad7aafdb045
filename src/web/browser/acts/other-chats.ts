import { loadKinds } from "../../components/load-kinds.ts";
import type { EarlierChat, OtherChats } from "../../components/other-chats/other-chats.ts";
import { View } from "../../components/other-chats/View.tsx";
import { textAt } from "../../conversation/read.ts";
import { readSession } from "../../conversation/step.ts";
import { conversationOf } from "../../conversation/transcript.ts";
import { adopt, type Chat, remember } from "../chat-state.ts";
import { resumeLastStep } from "../exchange.ts";
import { parse } from "../memory.ts";
import { errorText } from "../refused/refusals.ts";
import { tryStorage } from "../storage.ts";
import { asRefused, Refused } from "../transport.ts";
import { notEarly } from "../view.ts";
import { othersName } from "./others-storage.ts";

/** The limits of the stored list: the number of chats, and the number of characters of each title. */
const mostChats = 20;
const mostCharacters = 80;

/**
 * Returns the controls for a new chat and for earlier chats. If the bot does not offer these features, `begin` is
 * undefined and the list is empty.
 */
export function othersOf(chat: Chat): OtherChats {
  const shelf = shelfOf(chat);
  return {
    View,
    begin: chat.settings.answers.hasNewChat ? chat.startAgain : undefined,
    list: () => shelf.read().filter(({ sessionId }) => sessionId !== chat.session?.id),
    keep(entries) {
      const said = entries.find((entry) => entry.kind === "answer");
      const chats = shelf.read();
      const sessionId = chat.session?.id;
      if (!said || sessionId === undefined || chats.some((one) => one.sessionId === sessionId)) return;
      const words = said.answer.text.slice(0, mostCharacters);
      const kept = { sessionId, words, at: said.at ?? new Date().toISOString() };
      shelf.write([kept, ...chats].toSorted(newestFirst).slice(0, mostChats));
    },
    async open({ sessionId }) {
      const refused = await open(chat, sessionId);
      if (!refused) return;
      const isGone = goneCodes.has(refused.code);
      if (isGone) shelf.write(shelf.read().filter((one) => one.sessionId !== sessionId));
      chat.view.update({ notice: { text: isGone ? chat.words.over : errorText(chat, refused), isError: true } });
    },
  };
}

function newestFirst(one: EarlierChat, other: EarlierChat): number {
  return Date.parse(other.at) - Date.parse(one.at);
}

/** Error codes for a chat that can no longer be continued. */
const goneCodes = new Set(["session.not_found", "session.expired", "session.ended"]);

/**
 * Returns functions that read and write this browser's list of chats. The list is empty if the bot does not offer
 * earlier chats, or if the browser does not store chats.
 */
function shelfOf({ settings, memory }: Chat) {
  const { remembering } = settings;
  const name = memory.key === undefined ? undefined : othersName(memory.key);
  if (!settings.answers.hasEarlierChats || remembering === "nowhere" || name === undefined)
    return { read: (): readonly EarlierChat[] => [], write: () => {} };
  return {
    read(): readonly EarlierChat[] {
      const kept = parse(tryStorage(remembering, (storage) => storage.getItem(name)) ?? "");
      return Array.isArray(kept) ? kept.flatMap(readChat) : [];
    },
    write: (chats: readonly EarlierChat[]) =>
      tryStorage(remembering, (storage) => storage.setItem(name, JSON.stringify(chats))),
  };
}

function readChat(value: unknown): EarlierChat[] {
  const [sessionId, at] = [textAt(value, "sessionId"), textAt(value, "at") ?? ""];
  if (sessionId === undefined || Number.isNaN(Date.parse(at))) return [];
  return [{ sessionId, words: textAt(value, "words") ?? "", at }];
}

/** Switches to another chat and continues it. Returns the error if that chat cannot be read. */
async function open(chat: Chat, sessionId: string): Promise<Refused | undefined> {
  const { transport, view } = chat;
  const snapshot = await transport.read(sessionId).then(readSession).catch(asRefused);
  if (snapshot instanceof Refused) return snapshot;
  await loadKinds(snapshot.steps);
  Object.assign(chat, { isBusy: true, isStarting: false, isArriving: false, earlyForm: undefined });
  adopt(chat, snapshot);
  remember(chat);
  const { dynamicTheme } = snapshot.steps.at(-1) ?? {};
  const quiet = { isTyping: false, error: undefined, notice: undefined, ...notEarly };
  view.update({ ...conversationOf(snapshot.steps), ...quiet, dynamicTheme });
  view.state().acts?.divide();
  await resumeLastStep(chat);
  return undefined;
}
