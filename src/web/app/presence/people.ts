import { effect, signal } from "@preact/signals";
import type { Present } from "../editor/index.ts";
import { isViewKey } from "../keys/keymap.ts";

/** The tab id of the person whom this author follows. Only one person can be followed at a time. */
export const followed = signal<string | undefined>(undefined);

/** Returns the people at each card. A person with two tabs at the same card is listed once. */
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
  /** Moves to the followed person's view. */
  readonly lookAt: (camera: NonNullable<Present["camera"]>) => void;
  /** Returns the element with the follower's view. Moving the view ends the following. */
  readonly element: () => HTMLElement | undefined;
  /** Called when the person leaves, Escape is pressed, or the view is moved. */
  readonly onEnd: () => void;
};

/**
 * Moves the view with the view of the followed person. If that person's view is unknown, shows the card that the person
 * selected. Returns a function that stops the following.
 *
 *     nobody ─ an avatar is pressed ─→ following
 *     following ─ the same avatar is pressed, Escape, or the view is moved ─→ nobody
 *     following ─ the followed person leaves, or the canvas is closed ─→ nobody
 */
export function followPeople({ present, reveal, lookAt, element, onEnd }: Following): () => void {
  const end = (): void => {
    if (followed.value === undefined) return;
    followed.value = undefined;
    onEnd();
  };
  let seen = "";
  const stop = effect(() => {
    const id = followed.value;
    if (id === undefined) {
      // A new follower jumps to the person's view, even if the view has not moved.
      seen = "";
      return;
    }
    const one = present().find((other) => other.id === id);
    const place = JSON.stringify([id, one?.camera ?? one?.at]);
    // The person's pointer may have moved, but the view has not.
    if (place === seen) return;
    seen = place;
    if (!one) queueMicrotask(end);
    else if (one.camera) lookAt(one.camera);
    else if (one.at !== null) reveal(one.at);
  });
  const onHand = (event: Event): void => {
    if (event.target instanceof Node && element()?.contains(event.target)) end();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isViewKey(event)) onHand(event);
    if (event.key !== "Escape" || event.defaultPrevented || followed.value === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  addEventListener("keydown", onKeyDown, true);
  addEventListener("wheel", onHand, { capture: true, passive: true });
  addEventListener("pointerdown", onHand, true);
  return () => {
    stop();
    removeEventListener("keydown", onKeyDown, true);
    removeEventListener("wheel", onHand, true);
    removeEventListener("pointerdown", onHand, true);
    followed.value = undefined;
  };
}
