import { useEffect, useLayoutEffect } from "preact/hooks";
import { entriesOf, idOf } from "../../../../core/editing/changes/things.ts";
import { isJsonObject, textAt, valueAt } from "../../../../core/interpreter/flow.ts";
import { cardElementId, rowElementId } from "../../canvas/cards.tsx";
import type { Box, CardRow } from "../../canvas/contract.ts";
import { sizes } from "../../canvas/scene/geometry.ts";
import { lineOfBlock, lineOfItem } from "../../forms/block-line.ts";
import type { Names } from "../../forms/index.ts";
import onCardWords from "../../words/en/on-card.json";
import { useWords } from "../../words/index.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import type { Editing } from "../state.ts";
import { GhostRow } from "./ghost-row.tsx";
import { InPlace } from "./in-place.tsx";
import type { Met } from "./met.ts";
import { Pinned, type PinnedProps, rim } from "./pinned.tsx";
import { type Place, useRested, wholeId } from "./use-rested.ts";
import "./on-card.css";

export type OnCardProps = {
  readonly acts: Acts;
  readonly context: ActContext;
  readonly met: Met;
};

/**
 * The layer over a card, which contains the editors of its texts, the row that adds an option, and the full text of a
 * shortened row.
 */
export function OnCard(props: OnCardProps) {
  const { state } = props.context;
  const editing = state.editing.value;
  useLayoutEffect(() => {
    props.met.isLoaded = true;
  }, [props.met]);
  return (
    <>
      {editing ? <InPlace key={keyOf(editing)} {...props} editing={editing} /> : <FullText {...props} />}
      <GhostRow {...props} />
    </>
  );
}

function keyOf({ caret: _, isNew: __, ...place }: Editing): string {
  return JSON.stringify(place);
}

/**
 * Shows the full text of a shortened row or title while the pointer rests on it. The text appears below or above the
 * row, in the column of its own card, so that it covers no other column. The text can be scrolled and closes when the
 * pointer leaves.
 */
function FullText({ context, met }: Omit<OnCardProps, "acts">) {
  const { view } = context;
  const words = useWords(onCardWords);
  const kept = useRested(context, met);
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
      {row?.variable !== undefined && <p class="on-card-name">{words.savedTo({ name: row.variable })}</p>}
    </Pinned>
  );
}

function elementIdOf({ card, row }: Place): string {
  return row ? rowElementId(row) : cardElementId(card.id);
}

/**
 * Places the text below the row, or above the row if there is no room, at the width of the card. The text never covers
 * the row itself.
 */
const underRow: PinnedProps["place"] = ({ x, y, width, height }, { canvas, own }) => {
  const isBelow = y + height + own.height + rim <= canvas.height;
  return { left: x, top: isBelow ? y + height : y - own.height, width };
};

/** The full text of a row. `name` is the name of its block type. */
type Whole = { readonly name: string; readonly text: string; readonly isCode: boolean };

/** The maximum number of lines in the quick view. The form shows all lines. */
const mostLines = 40;

function wholeOf({ card, row }: Place, { view, bot: { editor }, types }: ActContext): Whole | undefined {
  if (!row) return { name: "", text: card.title, isCode: false };
  const { kind, blockId, itemId } = row;
  const { store } = editor;
  const block = store.block(blockId).value?.block;
  if (!block) return undefined;
  const known = types()?.get(textAt(block, "type") ?? "");
  const names: Names = {
    variable: (id) => store.variables.value.find((one) => one.id === id)?.name,
    group: (id) => textAt(store.group(id).value, "title"),
    bot: (id) => view.bots.value.get(id),
  };
  const items = entriesOf(block["items"]);
  if (kind === "item") {
    const item = items.find((one) => idOf(one) === itemId);
    return { name: "", text: lineOfItem(block, item, types(), names), isCode: false };
  }
  const isCode = known?.editor.row.some((text) => text.includes(":line")) ?? false;
  const richText = valueAt(block, "content", "richText");
  const text = Array.isArray(richText)
    ? richText.flatMap(linesIn).join("\n").trim()
    : lineOfBlock(block, types(), names, { hasItems: items.length > 0, isWhole: true });
  return { name: known?.editor.name ?? "", text, isCode };
}

/** Returns each paragraph and each list entry as a line. */
function linesIn(node: unknown): readonly string[] {
  const children = entriesOf(isJsonObject(node) ? node["children"] : undefined);
  if (children.some((child) => /^(p|ul|ol|li|lic)$/.test(textAt(child, "type") ?? "")))
    return children.flatMap(linesIn);
  return [children.length > 0 ? children.flatMap(linesIn).join("") : (textAt(node, "text") ?? "")];
}

/** Whether a row shows less than its full text, because the text is shortened or does not fit its element. */
function isFolded(element: Element, row: CardRow | undefined, { text }: Whole): boolean {
  if (text === "") return false;
  if (row && text.replaceAll(/\s+/g, " ").trim() !== row.text) return true;
  const shown = element.querySelector(row ? ".canvas-text" : ".canvas-title-text");
  return shown !== null && (shown.scrollHeight > shown.clientHeight + 1 || shown.scrollWidth > shown.clientWidth + 1);
}

/**
 * Splits each line of a text into plain texts and variable names. An ellipsis replaces the lines after the maximum
 * number.
 */
function partsOf(whole: string) {
  const all = whole.split("\n");
  const lines = all.length > mostLines ? [...all.slice(0, mostLines), "…"] : all;
  return lines.map((line) => line.split(/\{\{([^{}]+)\}\}/).map((text, index) => ({ text, isName: index % 2 === 1 })));
}
