import { NewSince } from "../../components/message-acts/NewSince.tsx";
import type { Entry } from "../../conversation/transcript.ts";
import type { Chat } from "../chat-state.ts";
import { parse } from "../memory.ts";
import { tryStorage } from "../storage.ts";
import { seenName } from "./others-storage.ts";

/** The number of most recent chats for which the browser remembers what the visitor has read. */
const mostChats = 20;

/**
 * Stores in the browser how many steps of a chat the visitor has seen. Draws a line above newer messages when the chat
 * or its tab is shown again.
 *
 *     visible ─ the tab is hidden ─→ hidden: new steps count as unseen
 *     hidden ─ the tab is shown ───→ visible: the line is above the unseen messages, unless a step is being shown
 */
export function lastSeenOf(chat: Chat) {
  const { memory, settings, view, words } = chat;
  const where = settings.remembering === "local" ? "local" : "session";
  const read = (name: string): readonly Seen[] => {
    const kept = parse(tryStorage(where, (storage) => storage.getItem(name)) ?? "");
    return Array.isArray(kept) ? kept.filter(isSeen) : [];
  };
  const name = memory.key !== undefined && memory.keepsDrafts() ? seenName(memory.key) : undefined;
  const line = { kind: "question", View: () => NewSince({ words }) } satisfies Entry;
  /**
   * A copy of the newest record, so that the storage is not read for each message. It is also used if the storage is
   * unavailable.
   */
  let seen: Seen | undefined;
  const seenOf = (sessionId: string): number | undefined => {
    if (seen?.[0] === sessionId) return seen[1];
    return name === undefined ? undefined : read(name).find(([id]) => id === sessionId)?.[1];
  };
  const note = (): void => {
    const { session, steps } = chat;
    if (!session || document.hidden || (seen?.[0] === session.id && seen[1] === steps.length)) return;
    const now: Seen = [session.id, steps.length];
    seen = now;
    if (name === undefined) return;
    const kept = [now, ...read(name).filter(([id]) => id !== session.id)].slice(0, mostChats);
    tryStorage(where, (storage) => storage.setItem(name, JSON.stringify(kept)));
  };
  const divide = (): void => {
    const count = chat.session && seenOf(chat.session.id);
    const entries = view.state().entries.filter((entry) => entry !== line);
    const unseen = new Set(count === undefined ? [] : chat.steps.slice(count).flatMap(({ messages }) => messages));
    const first = entries.findIndex((entry) => entry.kind === "bubble" && unseen.has(entry.bubble));
    if (first >= 0) view.update({ entries: entries.toSpliced(first, 0, line) });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    // No line is added while a step is being shown, because showing a step relies on the number of entries.
    if (!chat.isBusy) divide();
    note();
  });
  return { note, divide };
}

type Seen = readonly [sessionId: string, steps: number];

function isSeen(value: unknown): value is Seen {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}
