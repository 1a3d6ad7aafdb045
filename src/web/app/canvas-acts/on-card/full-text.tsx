/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks";
import { cardElementId, rowElementId } from "../../canvas/cards.tsx";
import type { Box } from "../../canvas/contract.ts";
import { sizes } from "../../canvas/geometry.ts";
import { onCardWords } from "../../words/flow-on-card.ts";
import { useWords } from "../../words/index.ts";
import type { Making } from "../making.ts";
import { Pinned, type PinnedProps, rim } from "./pinned.tsx";
import { type Place, useRested, wholeId } from "./use-rested.ts";
import { isFolded, partsOf, wholeOf } from "./whole.ts";

/**
 * The whole of a row, or of a title, that has no room for it, beside its card: of what is selected, or of what the pointer rests on. It stays while the
 * pointer is on it; Escape closes it, and what is selected stays selected.
 */
export function FullText({ making }: { readonly making: Making }) {
  const { view } = making;
  const words = useWords(onCardWords);
  const [isOver, setOver] = useState(false);
  const kept = useRested(making, isOver);
  const whole = kept && wholeOf(kept, making);
  const element = kept ? document.getElementById(elementIdOf(kept)) : null;
  const isShown = whole !== undefined && element !== null && isFolded(element, kept?.row, whole);
  useEffect(() => {
    // What is taken away under the pointer does not tell that this has left.
    if (!isShown) setOver(false);
    if (!isShown) return undefined;
    element?.setAttribute("aria-describedby", wholeId);
    return () => element?.removeAttribute("aria-describedby");
  }, [isShown, element]);
  if (!kept || !whole || !isShown) return null;
  const { card, row } = kept;
  const { x, y, width } = card.box;
  const box: Box = { x, y: y + (row?.y ?? 0), width, height: row?.height ?? sizes.title };
  return (
    <Pinned
      view={view}
      box={box}
      class="is-whole"
      place={besideRow}
      attributes={{
        ...{ id: wholeId, role: "tooltip", "data-pointers": "" },
        onPointerEnter: () => setOver(true),
        onPointerLeave: () => setOver(false),
      }}
    >
      {whole.name !== "" && <p class="on-card-name">{whole.name}</p>}
      <div class={`on-card-lines ${whole.isCode ? "is-code" : ""}`}>
        {partsOf(whole.text).map((line, index) => (
          <p key={index}>
            {line.map(({ text, isName }, at) =>
              isName ? (
                <span key={at} class="canvas-chip">
                  {text}
                </span>
              ) : (
                text
              ),
            )}
          </p>
        ))}
      </div>
      {row?.variable !== undefined && <p class="on-card-name">{words.savedTo(row.variable)}</p>}
    </Pinned>
  );
}

function elementIdOf({ card, row }: Place): string {
  return row ? rowElementId(row) : cardElementId(card.id);
}

/** Right of its card, where there is room, else left of it, else below the row: never over the row itself. */
const besideRow: PinnedProps["place"] = ({ x, y, width, height }, { canvas, own }) => {
  const gap = 16;
  if (x + width + gap + own.width + rim <= canvas.width) return { left: x + width + gap, top: y };
  if (x - gap - own.width >= rim) return { left: x - gap - own.width, top: y };
  const isBelow = y + height + gap + own.height + rim <= canvas.height;
  return { left: x, top: isBelow ? y + height + gap : y - gap - own.height };
};
