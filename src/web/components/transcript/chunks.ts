import type { Bubble } from "../../conversation/step.ts";
import type { Entry, WithAvatar } from "../../conversation/transcript.ts";
import { bubbleKind } from "../bubbles/index.ts";

/** Consecutive entries of the same speaker, which share an avatar. */
export type Chunk = WithAvatar & {
  readonly kind: Entry["kind"];
  /** The index of the chunk's first entry in the conversation. */
  readonly first: number;
  readonly entries: readonly Entry[];
};

/** A conversation in chunks, and the chunks in stretches. All stretches except the last are full. */
export type Chunks = {
  readonly entries: readonly Entry[];
  readonly chunks: readonly Chunk[];
  readonly stretches: readonly (readonly Chunk[])[];
};

export const noChunks: Chunks = { entries: [], chunks: [], stretches: [] };

/**
 * Groups the entries of a conversation. Chunks that have not changed since `before` are the same objects. For each
 * answer, a chat of a thousand messages compares a thousand references, but reads and draws only new entries.
 */
export function chunksOf(entries: readonly Entry[], before: Chunks): Chunks {
  let same = 0;
  while (same < entries.length && entries[same] === before.entries[same]) same += 1;
  let kept = before.chunks.length;
  // The last unchanged chunk may be continued by new entries, so it is grouped again.
  while (kept > 0 && endOf(before.chunks[kept - 1]) >= same) kept -= 1;
  const chunks = before.chunks.slice(0, kept);
  for (const [index, entry] of entries.slice(endOf(chunks.at(-1))).entries())
    if (!isUnseen(entry)) add(chunks, entry, endOf(before.chunks[kept - 1]) + index);
  const last = before.chunks[kept];
  if (last && endOf(last) <= same && endOf(chunks[kept]) === endOf(last)) chunks[kept] = last;

  const stretches = before.stretches.slice(0, Math.floor(kept / stretchChunks));
  for (let first = stretches.length * stretchChunks; first < chunks.length; first += stretchChunks)
    stretches.push(chunks.slice(first, first + stretchChunks));
  return { entries, chunks, stretches };
}

const stretchChunks = 16;

/** Returns the index after the last entry of a chunk, or 0 if there is no chunk. */
export function endOf(chunk: Chunk | undefined): number {
  return chunk ? chunk.first + chunk.entries.length : 0;
}

function add(chunks: Chunk[], entry: Entry, index: number): void {
  const last = chunks.at(-1);
  const avatar: WithAvatar = "avatar" in entry ? { avatar: entry.avatar } : {};
  const goesOn = last?.kind === entry.kind && last.avatar === avatar.avatar;
  if (goesOn && last.first + last.entries.length === index) {
    chunks.splice(-1, 1, { ...last, entries: [...last.entries, entry] });
  } else chunks.push({ kind: entry.kind, first: index, entries: [entry], ...avatar });
}

/**
 * Returns the index of the bubble that asks for the open input: the last bubble with text after the last answer.
 * Undefined if there is no such bubble.
 */
export function askingIndex(entries: readonly Entry[]): number | undefined {
  const index = entries.findLastIndex((entry) => entry.kind === "answer" || isWords(entry));
  const entry = entries[index];
  return entry && isWords(entry) ? index : undefined;
}

function isWords(entry: Entry): boolean {
  return entry.kind === "bubble" && entry.bubble.type === "text" && !isEmpty(entry.bubble);
}

function isUnseen(entry: Entry): boolean {
  // An answer that was stopped before its first word is still shown, because its mark explains that it is incomplete.
  return entry.kind === "bubble" && !entry.bubble.unfinished && isEmpty(entry.bubble);
}

/** Whether a bubble shows nothing. */
export function isEmpty(bubble: Bubble): boolean {
  const kind = bubbleKind(bubble);
  return !kind || (kind.isEmpty?.(bubble.content) ?? false);
}
