import { effect, useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Point, View } from "../canvas/contract.ts";
import type { OpenBot } from "../editor/index.ts";
import { colorOf } from "../editor/person-colors.ts";
import { followed, followPeople, peopleByCard } from "../presence/people.ts";
import { announce } from "../ui/index.ts";
import flowWords from "../words/en/flow.json";
import { useWords } from "../words/index.ts";
import "../presence/people.css";

/**
 * Shows other people on the canvas: a ring and a name at each person's card, and their pointers. Screen readers get the
 * same information from the avatars and the outline.
 */
export function People({ bot, view }: { readonly bot: OpenBot; readonly view: View }) {
  const people = peopleByCard(bot.live.present.value, (at) => cardAt(bot, at));
  const { cards } = view.scene.value;
  return (
    <>
      {bot.live.present.value.map(({ id, userId, name, pointer }) => {
        if (!pointer) return null;
        const transform = `translate(${pointer.x}px, ${pointer.y}px)`;
        return (
          <span
            key={`pointer ${id}`}
            class="person-pointer"
            data-person={colorOf(userId)}
            aria-hidden="true"
            style={{ transform }}
          >
            <span class="person-name">{name ?? "?"}</span>
          </span>
        );
      })}
      {[...people].map(([cardId, there]) => {
        const box = cards.get(cardId)?.box;
        const [first] = there;
        if (!box || !first) return null;
        const { x, y, width, height } = box;
        return (
          <span
            key={cardId}
            class="person-ring"
            data-person={colorOf(first.userId)}
            aria-hidden="true"
            style={{
              transform: `translate(${x - 5}px, ${y - 5}px)`,
              width: `${width + 6}px`,
              height: `${height + 6}px`,
            }}
          >
            <span class="person-names">
              {there.slice(0, 3).map(({ id, userId, name }) => (
                <span key={id} class="person-name" data-person={colorOf(userId)}>
                  {name ?? "?"}
                </span>
              ))}
            </span>
          </span>
        );
      })}
    </>
  );
}

/** Follows the person whose avatar was pressed, and shows a notice around the canvas. */
export function FollowedPerson({ bot, view }: { readonly bot: OpenBot; readonly view: View }) {
  const { bar: words } = useWords(flowWords);
  const one = useComputed(() => bot.live.present.value.find(({ id }) => id === followed.value)).value;
  useEffect(
    () =>
      followPeople({
        present: () => bot.live.present.value,
        reveal: (at) => view.camera.reveal(cardAt(bot, at)),
        lookAt: (camera) => view.camera.lookAt(camera),
        element: () => view.element.value,
        onEnd: () => announce(words.followEnded),
      }),
    [bot, view, words],
  );
  useEffect(() => sayPlace(bot, view), [bot, view]);
  if (!one) return null;
  return (
    <div class="person-followed" data-person={colorOf(one.userId)}>
      <span>{words.following({ name: one.name ?? "?" })}</span>
    </div>
  );
}

/**
 * Sends the pointer's position and the visible part of the canvas to other people. The visible part is not sent while
 * this person follows somebody.
 */
function sayPlace({ live }: OpenBot, view: View): () => void {
  let pointer: Point | undefined;
  const say = (): void => {
    const { x, y, zoom } = view.camera.state.value;
    const { width, height } = view.camera.size.value;
    const camera = { x: Math.round(x + width / 2 / zoom), y: Math.round(y + height / 2 / zoom), zoom };
    const isOwnWay = followed.value === undefined && width > 0;
    live.note({ ...(pointer && { pointer }), ...(isOwnWay && { camera }) });
  };
  const onMove = ({ clientX, clientY, pointerType }: PointerEvent): void => {
    // A finger that moves the view is not a pointer that others should see.
    pointer = pointerType === "touch" ? undefined : view.toWorld({ x: clientX, y: clientY });
    say();
  };
  const onLeave = (): void => {
    pointer = undefined;
    say();
  };
  const stop = effect(say);
  const stopListening = effect(() => {
    const element = view.element.value;
    element?.addEventListener("pointermove", onMove);
    element?.addEventListener("pointerleave", onLeave);
    return () => {
      element?.removeEventListener("pointermove", onMove);
      element?.removeEventListener("pointerleave", onLeave);
    };
  });
  return () => {
    stop();
    stopListening();
    live.note({});
  };
}

/** Returns the card that contains a block, or the id itself if it is the id of a card. */
function cardAt({ editor }: OpenBot, at: string): string {
  return editor.store.find.block(at)?.groupId ?? at;
}
