import { NewSince } from "../../components/message-acts/NewSince.tsx";
import type { Entry } from "../../conversation/transcript.ts";
import type { Chat } from "../chat-state.ts";
import { parse } from "../memory.ts";
import { tryStorage } from "../storage.ts";
import { seenName } from "./others-storage.ts";

/** The number of chats for which the browser remembers what the visitor has read. */
const mostChats = 20;

/**
 * Keeps in the browser how many steps of a chat the visitor has seen, and draws a line above what came since: when the
 * chat is shown again, and when its tab is.
 *
 *     in sight ─ the tab is hidden ─→ out of sight: steps that come count as unseen
 *     out of sight ─ it is shown ───→ in sight: the line is above the unseen ones, unless a step is just being shown
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
  /** Kept in addition to the storage, which may be refused, and which is not read for each message. */
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
    // A step that is being shown relies on the number of entries.
    if (!chat.isBusy) divide();
    note();
  });
  return { note, divide };
}

type Seen = readonly [sessionId: string, steps: number];

function isSeen(value: unknown): value is Seen {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}
