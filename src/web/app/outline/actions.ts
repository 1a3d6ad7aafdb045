import { useEffect, useMemo } from "preact/hooks";
import type { CardAct } from "../canvas/contract.ts";
import type { OpenView } from "../canvas/view.ts";
import type { ActContext } from "../canvas-acts/act-context.ts";
import { createActs } from "../canvas-acts/acts.ts";
import { besideItems, itemOf } from "../canvas-acts/menu/card-items.ts";
import { menuOfChosen } from "../canvas-acts/menu/menu.ts";
import type { ActState } from "../canvas-acts/state.ts";
import { addGroup } from "../editor/commands/groups.ts";
import type { CommentAct } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import type { Selectable } from "../editor/selection.ts";
import type { BlockType } from "../forms/index.ts";
import type { MenuItem } from "../ui/index.ts";
import canvasMenuWords from "../words/en/canvas-menu.json";
import outlineWords from "../words/en/outline.json";
import { currentWords } from "../words/language.ts";
import { type Row, thingOf } from "./rows.ts";

export type OnCanvas = {
  readonly bot: OpenBot;
  /** The canvas of the same bot, if it exists. */
  readonly view?: OpenView;
  readonly state?: ActState;
  /** Starts the preview at an object, or shows its findings. */
  readonly onAct?: CardAct;
  readonly onComment?: CommentAct;
};

type Rows = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly rows: readonly Row[];
  readonly chosen: readonly Row[];
  readonly onOpen: () => void;
  /** Moves the focus to the selected row. */
  readonly focusRow: () => void;
};

export type Actions = ReturnType<typeof useActions>;

/** Returns the canvas actions on the outline's selection, for shortcuts and menus. */
export function useActions(
  { bot, view, state, onAct, onComment }: Required<Omit<OnCanvas, "onAct" | "onComment">> & OnCanvas,
  { types, ...shown }: Rows,
) {
  const held = useMemo(() => ({ types, onAct, onComment, ...shown }), []);
  Object.assign(held, { types, onAct, onComment, ...shown });
  // Card sizes depend on the texts of rows, which require the block types.
  useEffect(() => {
    if (types) view.types.value = types;
  }, [view, types]);
  return useMemo(() => {
    const context: ActContext = {
      ...{ bot, view, state, types: () => held.types },
      open: () => held.onOpen(),
      focus: () => held.focusRow(),
      ...(held.onComment && { comment: (act) => held.onComment?.(act) }),
      ...(held.onAct && { act: (act, at) => held.onAct?.(act, at) }),
      rows: { onDone: () => held.focusRow(), nextTo: () => neighbour(held.rows, held.chosen) },
    };
    const acts = createActs(context);
    const addBlock = (): void => {
      state.asking.value = { kind: "block", place: acts.placeForBlock() };
    };
    const addEvent = (): void => {
      state.asking.value = { kind: "event" };
    };
    const addEmptyGroup = (): void => void acts.run(addGroup, {});
    return {
      acts,
      context,
      addBlock,
      addEvent,
      addGroup: addEmptyGroup,
      /** Returns the actions on the selection. */
      menu: () => menuOfChosen(acts, context),
      /** Returns the actions on the flow, independent of the selection. */
      menuOfFlow(): readonly MenuItem[] {
        const item = itemOf(context);
        const { outline } = currentWords(outlineWords);
        return [
          item(outline.addBlock, addBlock, { icon: "plus", command: "addBlock" }),
          item(outline.addGroup, addEmptyGroup, { command: "addGroup", icon: "folder-plus" }),
          item(outline.addEvent, addEvent, { command: "addEvent", icon: "radio" }),
          ...besideItems(acts, item),
          item(currentWords(canvasMenuWords).menu.tidyAll, () => void acts.tidyUp("all"), {
            command: "tidyAll",
            icon: "wand-sparkles",
          }),
        ];
      },
    };
  }, [bot, view, state]);
}

/**
 * Returns the object to select after the given rows are removed: the object of the next row, or of the previous row if
 * there is no next one.
 */
export function neighbour(rows: readonly Row[], chosen: readonly Row[]): Selectable | undefined {
  const keys = new Set(chosen.map(({ key }) => key));
  const inside = (row: Row): boolean =>
    keys.has(row.key) || keys.has(`group:${row.groupId}`) || keys.has(`block:${row.blockId}`);
  const last = rows.findLastIndex(inside);
  const next = rows.slice(last + 1).find((row) => !inside(row)) ?? rows.slice(0, last).findLast((row) => !inside(row));
  return next && thingOf(next);
}
