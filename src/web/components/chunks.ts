import type { Bubble } from "../conversation/step.ts";
import type { Entry, WithAvatar } from "../conversation/transcript.ts";
import { bubbleKind } from "./bubbles/index.ts";

/** Consecutive entries of one side, which share an avatar. */
export type Chunk = WithAvatar & {
  readonly kind: Entry["kind"];
  /** The index of its first entry in the conversation. */
  readonly first: number;
  readonly entries: readonly Entry[];
};

/** A conversation in chunks. */
export type Chunks = { readonly entries: readonly Entry[]; readonly chunks: readonly Chunk[] };

export const noChunks: Chunks = { entries: [], chunks: [] };

/**
 * Groups the entries of a conversation. What has not changed since `before` is the same object: a chat of a thousand messages compares as many addresses
 * for each answer, and reads and draws the new ones only.
 */
export function chunksOf(entries: readonly Entry[], before: Chunks): Chunks {
  if (before.entries === entries) return before;
  const change = entries.findIndex((entry, index) => entry !== before.entries[index]);
  const firstChange = change === -1 ? entries.length : change;
  const same = before.chunks.filter(({ first, entries: own }) => first + own.length <= firstChange);
  // The last of them may go on.
  const last = same.at(-1);
  const chunks = same.slice(0, -1);
  for (const [index, entry] of entries.entries()) {
    if (index < (last?.first ?? 0) || isUnseen(entry)) continue;
    add(chunks, entry, index);
  }
  if (last && chunks[same.length - 1]?.entries.length === last.entries.length) chunks[same.length - 1] = last;
  return { entries, chunks };
}

function add(chunks: Chunk[], entry: Entry, index: number): void {
  const last = chunks.at(-1);
  const avatar: WithAvatar = "avatar" in entry ? { avatar: entry.avatar } : {};
  const goesOn = last?.kind === entry.kind && last.avatar === avatar.avatar;
  if (goesOn && last.first + last.entries.length === index) {
    chunks.splice(-1, 1, { ...last, entries: [...last.entries, entry] });
  } else chunks.push({ kind: entry.kind, first: index, entries: [entry], ...avatar });
}

/** The last bubble with words after the last answer: it asks for the open input. */
export function askingIndex(entries: readonly Entry[]): number | undefined {
  const index = entries.findLastIndex((entry) => entry.kind === "answer" || isWords(entry));
  const entry = entries[index];
  return entry && isWords(entry) ? index : undefined;
}

function isWords(entry: Entry): boolean {
  return entry.kind === "bubble" && entry.bubble.type === "text" && !isUnseen(entry);
}

function isUnseen(entry: Entry): boolean {
  return entry.kind === "bubble" && isEmpty(entry.bubble);
}

function isEmpty(bubble: Bubble): boolean {
  const kind = bubbleKind(bubble);
  return !kind || (kind.isEmpty?.(bubble.content) ?? false);
}
