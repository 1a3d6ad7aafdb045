import { effect, signal } from "@preact/signals";
import type { Present } from "../editor/index.ts";
import { isViewKey } from "../keys/keymap.ts";

/** The person whom this author follows: the id of their tab. Only one person is followed at a time. */
export const followed = signal<string | undefined>(undefined);

/** The people at a place of the flow, by its card. A person with two tabs at one card is listed once. */
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
  /** Shows the followed person's view. */
  readonly lookAt: (camera: NonNullable<Present["camera"]>) => void;
  /** The element that the follower uses: moving its view ends the following. */
  readonly element: () => HTMLElement | undefined;
  /** The person has left, Escape was pressed, or the view was moved. */
  readonly onEnd: () => void;
};

/**
 * Shows where the one is who is followed, as they move.
 *
 *     nobody ─ an avatar is pressed ─→ following
 *     following ─ they see another part of the flow, or, where that is not known, go to another card ─→ following: so is it here
 *     following ─ Escape, the same avatar again, the view is moved by hand, they leave, the canvas is left ─→ nobody
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
      // A new follower is led to the person's view, although it has not moved.
      seen = "";
      return;
    }
    const one = present().find((other) => other.id === id);
    const place = JSON.stringify([id, one?.camera ?? one?.at]);
    // Only the person's pointer has moved, and not their view.
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
