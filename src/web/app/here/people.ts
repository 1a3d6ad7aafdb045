import { effect, signal } from "@preact/signals";
import type { Present } from "../editor/index.ts";

/** Colours of people: `tokens.css` has them. */
export const personColors = 8;

/** The colour of somebody, which is the same wherever they are seen. */
export function colorOf(userId: string): number {
  let hash = 0;
  for (const letter of userId) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % personColors;
}

/** Whose way one follows: the id of their tab. One follows one person at a time. */
export const followed = signal<string | undefined>(undefined);

/** Those who are at a place of the flow, by the card that has it; somebody with two tabs at one card is there once. */
export function peopleByCard(
  present: readonly Present[],
  cardOf: (at: string) => string,
): ReadonlyMap<string, readonly Present[]> {
  const placed = present.flatMap((one) => (one.at === null ? [] : [{ one, cardId: cardOf(one.at) }]));
  const people = new Map<string, readonly Present[]>();
  for (const { one, cardId } of placed) {
    const there = people.get(cardId) ?? [];
    if (!there.some(({ userId }) => userId === one.userId)) people.set(cardId, [...there, one]);
  }
  return people;
}

type Following = {
  readonly present: () => readonly Present[];
  readonly reveal: (at: string) => void;
  /** They have left, or Escape was pressed. */
  readonly onEnd: () => void;
};

/**
 * Shows where the one is who is followed, as they move.
 *
 *     nobody ─ an avatar is pressed ─→ following
 *     following ─ they go to another place ─→ following: it is brought into view
 *     following ─ Escape, the same avatar again, they leave, the canvas is left ─→ nobody
 */
export function followPeople({ present, reveal, onEnd }: Following): () => void {
  const end = (): void => {
    if (followed.peek() === undefined) return;
    followed.value = undefined;
    onEnd();
  };
  const stop = effect(() => {
    const id = followed.value;
    if (id === undefined) return;
    const one = present().find((other) => other.id === id);
    if (!one) queueMicrotask(end);
    else if (one.at !== null) reveal(one.at);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || followed.peek() === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  addEventListener("keydown", onKeyDown, true);
  return () => {
    stop();
    removeEventListener("keydown", onKeyDown, true);
    followed.value = undefined;
  };
}
