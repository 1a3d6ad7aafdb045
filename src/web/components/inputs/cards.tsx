/** @jsxImportSource preact */

import { useEffect, useRef, useState } from "preact/hooks";
import { filledTextAt, listAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import { Picture } from "../Picture.tsx";
import css from "./cards.css" with { type: "text" };
import { nameOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";
import { pictureSource } from "./parts/picture-source.ts";
import { richAnswer } from "./parts/RichAnswer.tsx";

/** Cards in a row, each with its buttons. The row scrolls by touch, by keyboard, or with two buttons. */
export const cardsInput: InputKind = {
  ...richAnswer,
  css: richAnswer.answerCss + css,
  View({ input, words, questionId, errorId, isLive: isLiveNow }) {
    const isLive = useLive(isLiveNow);
    const list = useRef<HTMLUListElement>(null);
    const { isBefore, isAfter } = useScrollEnds(list, isLive);
    const cards = cardsOf(input, words);
    return (
      <fieldset class="cards" {...nameOf(questionId, words.chooseOne)} aria-describedby={errorId}>
        <ul class="cards-list" ref={list}>
          {cards.map((card, index) => (
            <Card key={`${index} ${card.id}`} card={card} labelId={`${input.id}-card-${index}`} words={words} />
          ))}
        </ul>
        {(isBefore || isAfter) && (
          <div class="cards-moves">
            <Move label={words.previous} isPossible={isBefore} move={() => scroll(list.current, -1)} />
            <Move label={words.next} isPossible={isAfter} move={() => scroll(list.current, 1)} isForward />
          </div>
        )}
      </fieldset>
    );
  },
  read(form, input, words) {
    const chosen = form.get("choice");
    for (const { paths, imageUrl } of cardsOf(input, words)) {
      const path = paths.find(({ id }) => id === chosen);
      if (!path) continue;
      const attachedFileUrls = imageUrl !== undefined && isPublished(imageUrl) ? [imageUrl] : [];
      const metadata = path.hasId ? { metadata: { replyId: path.id } } : {};
      const files = attachedFileUrls.length > 0 ? { attachedFileUrls } : {};
      return { kind: "said", message: { type: "text", text: path.reply, ...metadata, ...files } };
    }
    return { kind: "wrong", error: words.chooseOne };
  },
};

type Path = { readonly id: string; readonly label: string; readonly reply: string; readonly hasId: boolean };
type CardData = ReturnType<typeof cardsOf>[number];

function cardsOf(input: Input, words: Words) {
  return listAt(input, "items").map((item) => {
    const title = filledTextAt(item, "title");
    const paths = listAt(item, "paths").flatMap((path): Path[] => {
      const id = textAt(path, "id");
      if (id === undefined) return [];
      return [{ id, label: filledTextAt(path, "text") ?? words.choose, reply: id, hasId: true }];
    });
    // A card without buttons is chosen by its title.
    const only = title === undefined ? [] : [{ id: title, label: words.choose, reply: title, hasId: false }];
    return {
      id: textAt(item, "id") ?? "",
      title,
      description: filledTextAt(item, "description"),
      imageUrl: filledTextAt(item, "imageUrl"),
      paths: paths.length > 0 ? paths : only,
    };
  });
}

/**
 * Whether an answer may contain the URL of a picture. A data URL is too long, and a visitor's file belongs to the
 * visitor's chat.
 */
function isPublished(address: string): boolean {
  return /^https?:\/\//i.test(address) && !address.includes("/api/");
}

function Card({ card, labelId, words }: { card: CardData; labelId: string; words: Words }) {
  const source = pictureSource(card.imageUrl);
  return (
    <li class="typebot-card">
      {source !== undefined && <Picture class="card-image" source={source} alt="" words={words} isStill />}
      {(card.title !== undefined || card.description !== undefined) && (
        <div class="card-words" id={labelId}>
          {card.title !== undefined && (
            <p class="card-title" dir="auto">
              {card.title}
            </p>
          )}
          {card.description !== undefined && (
            <p class="card-description" dir="auto">
              {card.description}
            </p>
          )}
        </div>
      )}
      <div class="card-paths">
        {card.paths.map((path, index) => (
          <button
            key={`${index} ${path.id}`}
            type="submit"
            class="typebot-button option"
            name="choice"
            value={path.id}
            dir="auto"
            aria-describedby={labelId}
          >
            {path.label}
          </button>
        ))}
      </div>
    </li>
  );
}

type MoveProps = { label: string; isPossible: boolean; isForward?: boolean; move(): void };

/**
 * A button that moves the cards. At its end of the list, the button is only marked as disabled, so that it keeps the
 * focus.
 */
function Move({ label, isPossible, isForward = false, move }: MoveProps) {
  return (
    <button
      type="button"
      class="typebot-button secondary-button cards-move"
      aria-disabled={!isPossible}
      aria-label={label}
      onClick={move}
    >
      <svg class="move-icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={isForward ? "m9 5 7 7-7 7" : "m15 5-7 7 7 7"} />
      </svg>
    </button>
  );
}

/** Returns whether a list has more content before and after the visible part. */
function useScrollEnds(list: { readonly current: HTMLUListElement | null }, isLive: boolean) {
  const [ends, setEnds] = useState({ isBefore: false, isAfter: false });
  useEffect(() => {
    const element = list.current;
    if (!element || !isLive) return undefined;
    const update = (): void => {
      // A right-to-left list has negative scroll positions.
      const passed = Math.abs(element.scrollLeft);
      setEnds({ isBefore: passed > 4, isAfter: passed + element.clientWidth < element.scrollWidth - 4 });
    };
    update();
    element.addEventListener("scroll", update, { passive: true });
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", update);
      sizes.disconnect();
    };
  }, [list, isLive]);
  return ends;
}

function scroll(list: HTMLUListElement | null, direction: 1 | -1): void {
  const card = list?.firstElementChild;
  if (!list || !card) return;
  const sign = getComputedStyle(list).direction === "rtl" ? -1 : 1;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  list.scrollBy({ left: direction * sign * card.getBoundingClientRect().width, behavior });
}
