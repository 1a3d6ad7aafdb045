import { entriesOf, idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { type Outlet, outletOfEvent, outletsOfBlock } from "../../../../core/editing/references/outlets.ts";
import { itemsById, referencesIn } from "../../../../core/editing/references/references.ts";
import { isJsonObject, type JsonObject, textAt } from "../../../../core/interpreter/flow.ts";
import { isWayOut, type WayOutName } from "../../../../core/interpreter/schemas/own-keys.ts";
import { placeOfThing } from "../../editor/place-of-thing.ts";
import type { Box, Card, CardRow, Point, Port } from "../contract.ts";
import { textWidth } from "./text-width.ts";

/** The height of the rows of items and outcomes. */
const small = 28;

/** The sizes of cards, for layout and painting. The style sheet receives the sizes from `sizeStyle`. */
export const sizes = {
  card: 272,
  event: { width: 136, height: 40 },
  title: 40,
  row: [32, 48],
  item: [small, 44],
  small,
  foot: 8,
  radius: 10,
  frameTitle: 36,
  /** The left edge and the greatest width of texts. */
  text: { inset: 38, width: 216, itemWidth: 196, font: 13, itemFont: 12 },
  /** The greatest width of a variable name. */
  chip: 104,
} as const;

const { title, row, item, radius, chip, text } = sizes;
const fonts = { font: text.font, "item-font": text.itemFont };
const lengths = { title, row: row[0], row2: row[1], item2: item[1], small, radius, chip, ...fonts };

/** The sizes as CSS variables for the canvas element, such as `--card-title`. */
export const sizeStyle: Readonly<Record<`--${string}`, string>> = Object.fromEntries(
  Object.entries(lengths).map(([name, size]) => [`--card-${name}`, `${size}px`]),
);

/** The texts of card rows. The caller supplies the translations and the names. */
export type RowTexts = {
  block(block: JsonObject): Pick<CardRow, "text" | "isNameOnly" | "icon" | "family" | "variable" | "picture">;
  item(block: JsonObject, item: unknown): Pick<CardRow, "text" | "isNameOnly" | "picture">;
  event(event: JsonObject): string;
  readonly otherwise: string;
  way(block: JsonObject, name: WayOutName): { readonly text: string; readonly icon: string };
  readonly untitled: string;
};

/** The rows of a group, the positions of its ports, and its height, computed from the data without measuring. */
export type Layout = {
  readonly rows: readonly CardRow[];
  readonly ports: readonly Port[];
  readonly height: number;
};

export function layoutOfGroup(groupId: string, blocks: unknown, rowTexts: RowTexts): Layout {
  const rows: CardRow[] = [];
  let y: number = sizes.title;
  const add = (row: Omit<CardRow, "y" | "height" | "port">, height: number, outlet?: Outlet, isQuiet = false): void => {
    const port = outlet && portOf(groupId, outlet, { x: sizes.card, y: y + height / 2 }, isQuiet);
    rows.push({ ...row, y, height, ...(port && { port }) });
    y += height;
  };
  const list = objectsIn(blocks);
  for (const [index, block] of list.entries()) {
    const blockId = idOf(block);
    if (blockId !== undefined) addBlock(block, { blockId, isLast: index === list.length - 1, rowTexts, add });
  }
  if (rows.length === 0) y += sizes.row[0];
  return { rows, ports: rows.flatMap(({ port }) => port ?? []), height: y + sizes.foot };
}

type Adding = {
  readonly blockId: string;
  readonly isLast: boolean;
  readonly rowTexts: RowTexts;
  add(row: Omit<CardRow, "y" | "height" | "port">, height: number, outlet?: Outlet, isQuiet?: boolean): void;
};

function addBlock(block: JsonObject, { blockId, isLast, rowTexts, add }: Adding): void {
  const outlets = outletsOfBlock(block);
  const own = outlets.find(({ kind }) => kind === "own");
  const items = itemsById(block) ?? [];
  const said = rowTexts.block(block);
  const chip = said.variable === undefined ? 0 : Math.min(sizes.chip, textWidth(said.variable, 12) + 36);
  const lines = linesOf(said, sizes.text.font, sizes.text.width - chip);
  const leads = own?.edgeId !== undefined;
  // The row of a jump shows its target instead of a port. Blocks after a jump are never reached.
  const isJump = !leads && referencesIn(block).some(({ to, how }) => to === "group" && how === "goes");
  const atRow = items.length === 0 && !isJump ? own : undefined;
  add({ kind: "block", blockId, lines, ...said }, sizes.row[lines - 1] ?? 32, atRow, !isLast && !leads);
  const list = entriesOf(block["items"]);
  for (const [index, itemId] of items.entries()) {
    const item = list[index];
    const itemTexts = rowTexts.item(block, item);
    const [first, ...others] = outlets.filter((one) => one.itemId === itemId && one.kind !== "own");
    const itemLines = linesOf(itemTexts, sizes.text.itemFont, sizes.text.itemWidth);
    const height = sizes.item[itemLines - 1] ?? 28;
    const outlet = first?.kind === "item" ? first : undefined;
    add({ kind: "item", blockId, itemId, lines: itemLines, ...itemTexts }, height, outlet);
    if (first?.kind !== "button") continue;
    const buttons = entriesOf(isJsonObject(item) ? item["paths"] : undefined);
    for (const outlet of [first, ...others]) {
      const { pathId } = outlet;
      const button = buttons.find((one) => idOf(one) === pathId);
      const label = textAt(button, "text") ?? "";
      add(
        { kind: "button", blockId, itemId, ...(pathId !== undefined && { pathId }), lines: 1, text: label },
        sizes.small,
        outlet,
      );
    }
  }
  for (const outlet of outlets) {
    const { kind } = outlet;
    if (!isWayOut(kind)) continue;
    const { text, icon } = rowTexts.way(block, kind);
    add({ kind: "way", way: kind, blockId, lines: 1, text, icon }, sizes.small, outlet);
  }
  if (items.length > 0 && own && (isLast || leads))
    add({ kind: "otherwise", blockId, lines: 1, text: rowTexts.otherwise }, sizes.small, own);
}

export function cardOfGroup(group: JsonObject, layout: Layout, { rowTexts, isCollapsed }: Making): Card {
  const id = idOf(group) ?? "";
  const height = isCollapsed ? sizes.title : layout.height;
  // All edges of a folded card start at its title.
  const ports = isCollapsed ? layout.ports.map((port) => ({ ...port, y: sizes.title / 2 })) : layout.ports;
  return {
    ...{ id, kind: "group", ports },
    title: textAt(group, "title") || rowTexts.untitled,
    rows: isCollapsed ? [] : layout.rows,
    box: { ...placeOfThing(group), width: sizes.card, height },
  };
}

type Making = { readonly rowTexts: RowTexts; readonly isCollapsed: boolean };

export function cardOfEvent(event: JsonObject, rowTexts: RowTexts): Card {
  const id = idOf(event) ?? "";
  const outlet = outletOfEvent(event);
  const { width, height } = sizes.event;
  return {
    ...{ id, kind: "event", rows: [] },
    title: rowTexts.event(event),
    box: { ...placeOfThing(event), width, height },
    ports: outlet ? [portOf(id, outlet, { x: width, y: height / 2 })] : [],
  };
}

function portOf(cardId: string, outlet: Outlet, { x, y }: Point, isQuiet = false): Port {
  const { target, path } = outlet;
  // Parts of old flows may have no ids or equal ids, so the key contains their path.
  const key = [cardId, target.in ?? "", target.id ?? "", ...path].join("/");
  return { key, cardId, outlet, x, y, ...(isQuiet && { isQuiet }) };
}

/** Returns the number of lines of a text. A picture is as high as two lines. */
function linesOf({ text, picture }: Pick<CardRow, "text" | "picture">, size: number, width: number): 1 | 2 {
  return picture !== undefined || textWidth(text, size, width) > width ? 2 : 1;
}

/** Returns the position of a port in world coordinates. */
export function pointOf({ box }: Card, { x, y }: Port): Point {
  return { x: box.x + x, y: box.y + y };
}

export function unionOf(boxes: Iterable<Box>): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left > right ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}

export function isWithin({ x, y }: Point, box: Box, reach = 0): boolean {
  return x >= box.x - reach && x <= box.x + box.width + reach && y >= box.y - reach && y <= box.y + box.height + reach;
}

export function overlaps(one: Box, other: Box): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}

export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
