/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Overlay, View } from "../canvas/contract.ts";
import type { OpenBot } from "../editor/index.ts";
import { announce } from "../ui/index.ts";
import { flowWords } from "../words/flow.ts";
import { useWords } from "../words/index.ts";
import { colorOf, followed, followPeople, peopleByCard } from "./people.ts";
import "./people.css";

/** A ring and a name at the card where somebody else is; readers are told by the avatars and in the outline. */
export function peopleOverlay(bot: OpenBot, view: View): Overlay {
  return { key: "people", layer: "above", render: () => <People bot={bot} view={view} /> };
}

function People({ bot, view }: { readonly bot: OpenBot; readonly view: View }) {
  const people = peopleByCard(bot.live.present.value, (at) => cardAt(bot, at));
  const { cards } = view.scene.value;
  return (
    <>
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

/** Follows the one whose avatar was pressed, and says so around the canvas. */
export function FollowedPerson({ bot, view }: { readonly bot: OpenBot; readonly view: View }) {
  const { bar: words } = useWords(flowWords);
  const one = useComputed(() => bot.live.present.value.find(({ id }) => id === followed.value)).value;
  useEffect(
    () =>
      followPeople({
        present: () => bot.live.present.value,
        reveal: (at) => view.camera.reveal(cardAt(bot, at)),
        onEnd: () => announce(words.followEnded),
      }),
    [bot, view, words],
  );
  if (!one) return null;
  return (
    <div class="person-followed" data-person={colorOf(one.userId)}>
      <span>{words.following(one.name ?? "?")}</span>
    </div>
  );
}

/** The card that has a block, or is the place itself. */
function cardAt({ editor }: OpenBot, at: string): string {
  return editor.store.find.block(at)?.groupId ?? at;
}
