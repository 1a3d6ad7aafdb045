/** @jsxImportSource preact */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "../../conversation/rare-words.ts";
import type { Words } from "../../conversation/words.ts";
import { numberIn } from "../../conversation/words.ts";
import { itemsOf } from "./choice.tsx";
import { buttonLabel, nameOf, SendButton } from "./parts/field.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";
import css from "./ranking.css" with { type: "text" };

/**
 * A ranking of items, which are dragged or moved with buttons. Without scripts, the visitor enters a position for each
 * item.
 */
export const rankingInput: InputKind = {
  css,
  View: Ranking,
  read(form, input, words) {
    const items = itemsOf(input);
    const ordered = form.has("item") ? form.getAll("item").map(String) : inPlaces(form, items);
    const texts = ordered.map((id) => items.find((item) => item.id === id)?.label ?? "");
    if (new Set(ordered).size !== items.length || texts.includes("")) {
      return { kind: "wrong", error: words.rankEach, draft: texts.join("\n") };
    }
    return { kind: "said", message: { type: "text", text: texts.join("\n") } };
  },
  shownReply(reply, _input, words) {
    const texts = reply.split("\n");
    return texts.length < 2
      ? undefined
      : texts.map((text, index) => `${numberIn(words, index + 1)}. ${text}`).join("\n");
  },
};

type Item = ReturnType<typeof itemsOf>[number];

/** Sorts the ids by the chosen positions, for a form without a script. */
function inPlaces(form: FormData, items: readonly Item[]): string[] {
  const places = new Map(items.map(({ id }, index) => [Number(form.get(`place-${index}`)), id]));
  return [...places].toSorted(([a], [b]) => a - b).map(([, id]) => id);
}

function Ranking(props: FieldProps) {
  const { input, words, questionId, errorId } = props;
  const isLive = useLive(props.isLive);
  const items = itemsOf(input);
  const [order, setOrder] = useState(() => initialOrder(items, props.initial));
  const [moved, setMoved] = useState<{ readonly id: string; readonly by: 1 | -1 }>();
  const list = useRef<HTMLOListElement>(null);
  const ordered = order.flatMap((id) => items.find((item) => item.id === id) ?? []);
  const move = (id: string, to: number): void => {
    if (to < 0 || to >= order.length) return;
    setOrder((before) => before.filter((one) => one !== id).toSpliced(to, 0, id));
  };
  const drag = useDrag(list, move);
  // When a row is moved, its button loses the focus. The focus is restored before the visitor can press the next key.
  useLayoutEffect(() => {
    if (!moved) return;
    list.current?.querySelector<HTMLElement>(`[data-move="${CSS.escape(moved.id)} ${moved.by}"]`)?.focus();
  }, [moved, order]);
  const place = moved ? order.indexOf(moved.id) + 1 : 0;
  const name = items.find(({ id }) => id === moved?.id)?.label ?? "";
  return (
    <fieldset class="ranking" {...nameOf(questionId, words.ranking)} aria-describedby={errorId}>
      <ol class="ranking-items" ref={list}>
        {ordered.map((item, index) => (
          <li key={item.id} class="ranking-item typebot-input" data-id={item.id}>
            {isLive ? (
              <>
                <input type="hidden" name="item" value={item.id} />
                <span class="ranking-place" aria-hidden="true" {...drag(item.id)}>
                  <Grip />
                  {numberIn(words, index + 1)}
                </span>
              </>
            ) : (
              <PlaceSelect
                item={item}
                index={items.indexOf(item)}
                place={index + 1}
                count={items.length}
                words={words}
              />
            )}
            <span class="ranking-text" dir="auto">
              {item.label}
            </span>
            {isLive &&
              ([-1, 1] as const).map((by) => (
                <button
                  key={by}
                  type="button"
                  class="sign-button ranking-move"
                  data-move={`${item.id} ${by}`}
                  aria-disabled={index + by < 0 || index + by >= ordered.length || undefined}
                  aria-label={say(words, by < 0 ? "moveUp" : "moveDown", { name: item.label })}
                  onClick={() => {
                    setMoved({ id: item.id, by });
                    move(item.id, index + by);
                  }}
                >
                  <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d={by < 0 ? "m6 15 6-6 6 6" : "m6 9 6 6 6-6"} />
                  </svg>
                </button>
              ))}
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {moved && say(words, "placeOf", { name, place, most: order.length })}
      </p>
      <SendButton label={buttonLabel(input) ?? words.send} words={words} />
    </fieldset>
  );
}

function initialOrder(items: readonly Item[], initial: string): string[] {
  const said = initial.split("\n").flatMap((text) => items.find(({ label }) => label === text)?.id ?? []);
  return [...new Set([...said, ...items.map(({ id }) => id)])];
}

/**
 * Makes a dragged row follow the pointer. The row takes the position of each row whose middle the pointer has passed.
 */
function useDrag(list: { readonly current: HTMLElement | null }, move: (id: string, to: number) => void) {
  return (id: string) => ({
    onPointerDown(event: PointerEvent): void {
      if (event.button !== 0 || !(event.currentTarget instanceof Element)) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent): void {
      const handle = event.currentTarget;
      if (!(handle instanceof Element) || !handle.hasPointerCapture(event.pointerId)) return;
      const rows = [...(list.current?.children ?? [])];
      const from = rows.findIndex((row) => row.contains(handle));
      const to = rows.filter((row, index) => index !== from && middleOf(row) < event.clientY).length;
      if (to !== from) move(id, to);
    },
  });
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}

type PlaceProps = {
  readonly item: Item;
  readonly index: number;
  readonly place: number;
  readonly count: number;
  readonly words: Words;
};

function PlaceSelect({ item, index, place, count, words }: PlaceProps) {
  return (
    <select name={`place-${index}`} aria-label={say(words, "placeFor", { name: item.label })}>
      {Array.from({ length: count }, (_, number) => (
        <option key={number} value={number + 1} selected={number + 1 === place}>
          {numberIn(words, number + 1)}
        </option>
      ))}
    </select>
  );
}

function Grip() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="ranking-grip">
      <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" />
    </svg>
  );
}
