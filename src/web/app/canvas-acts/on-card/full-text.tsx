import { useEffect } from "preact/hooks";
import { cardElementId, rowElementId } from "../../canvas/cards.tsx";
import type { Box } from "../../canvas/contract.ts";
import { sizes } from "../../canvas/scene/geometry.ts";
import { onCardWords } from "../../words/flow-on-card.ts";
import { useWords } from "../../words/index.ts";
import type { ActContext } from "../act-context.ts";
import { Pinned, type PinnedProps, rim } from "./pinned.tsx";
import { type Place, useRested, wholeId } from "./use-rested.ts";
import { isFolded, partsOf, wholeOf } from "./whole.ts";

/**
 * The whole of a row, or of a title, that has no room for it, once the pointer has rested there: under it, in the column of its own card, so that it covers no
 * neighbour. It scrolls, and ends when the pointer leaves.
 */
export function FullText({ context }: { readonly context: ActContext }) {
  const { view } = context;
  const words = useWords(onCardWords);
  const kept = useRested(context);
  const whole = kept && wholeOf(kept, context);
  const element = kept ? document.getElementById(elementIdOf(kept)) : null;
  const isShown = whole !== undefined && element !== null && isFolded(element, kept?.row, whole);
  useEffect(() => {
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
      place={underRow}
      attributes={{ id: wholeId, role: "tooltip", "data-pointers": "" }}
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

/** As wide as its card; under the row, or above it where there is no room: never over the row itself. */
const underRow: PinnedProps["place"] = ({ x, y, width, height }, { canvas, own }) => {
  const isBelow = y + height + own.height + rim <= canvas.height;
  return { left: x, top: isBelow ? y + height : y - own.height, width };
};
