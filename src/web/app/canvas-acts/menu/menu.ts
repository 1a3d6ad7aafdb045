import type { Hit, Point, View } from "../../canvas/contract.ts";
import type { FlowThing } from "../../editor/commands/command.ts";
import { keysOf } from "../../keys/keymap.ts";
import type { MenuItem } from "../../ui/index.ts";
import canvasWords from "../../words/en/canvas.json";
import canvasMenuWords from "../../words/en/canvas-menu.json";
import outlineWords from "../../words/en/outline.json";
import { currentWords } from "../../words/language.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import { editOnCard, meantBy, placeOnCard } from "../edit-on-card.ts";
import { copyToClipboard, readClipboard } from "../system-clipboard.ts";
import { besideItems, cardItems, type Item, itemOf, keysItem } from "./card-items.ts";
import { chooseAll } from "./choose-all.ts";
import "./icons.ts";

/** Returns the context menu of the selection or of the background. */
export function menuFor(acts: Acts, context: ActContext, { hit, world }: { readonly hit: Hit; readonly world: Point }) {
  return acts.chosen.edge() || hit.kind !== "ground" ? menuOfChosen(acts, context) : menuOfGround(acts, context, world);
}

/** Returns the menu of the selection, which is an edge, a row of a card, or cards, notes and frames. */
export function menuOfChosen(acts: Acts, context: ActContext): readonly MenuItem[] {
  return acts.chosen.edge() ? edgeMenu(acts, context, itemOf(context)) : cardMenu(acts, context, itemOf(context));
}

/** Returns the menu of the whole flow. `at` is the point where the menu was opened, in world coordinates. */
export function menuOfGround(acts: Acts, context: ActContext, at?: Point): readonly MenuItem[] {
  return groundMenu(acts, context, { item: itemOf(context), at });
}

function groundMenu(
  acts: Acts,
  context: ActContext,
  { item, at: asked }: { readonly item: Item; readonly at: Point | undefined },
): readonly MenuItem[] {
  const { menu: words } = currentWords(canvasMenuWords);
  const { menu: common, outline } = currentWords(outlineWords);
  const { state } = context;
  const at = asked && { x: Math.round(asked.x), y: Math.round(asked.y) };
  return [
    item(
      at ? words.addHere : outline.addBlock,
      () => (state.asking.value = { kind: "block", place: at ? { kind: "ground", at } : acts.placeForBlock() }),
      { icon: "plus", ...(!at && { command: "addBlock" }) },
    ),
    ...besideItems(acts, item, at),
    item(
      at ? words.pasteHere : common.paste,
      () => void readClipboard().then((text) => acts.pasteText(text, ...(at ? [at] : []))),
      { icon: "clipboard-paste", command: "paste" },
    ),
    { kind: "line" },
    { label: words.chooseAll, keys: keysOf("all"), onPress: () => chooseAll(acts, context) },
    item(words.tidyAll, () => void acts.tidyUp("all"), { command: "tidyAll", icon: "wand-sparkles" }),
    keysItem(),
  ];
}

function edgeMenu(acts: Acts, { state }: ActContext, item: Item): readonly MenuItem[] {
  const { menu: words } = currentWords(canvasMenuWords);
  return [
    item(words.insert, () => (state.asking.value = { kind: "block", place: acts.placeForBlock() }), {
      icon: "plus",
      command: "addBlock",
    }),
    item(
      words.leadElsewhere,
      () => {
        const edge = acts.chosen.edge();
        if (edge) state.asking.value = { kind: "lead", from: edge.port.outlet };
      },
      { icon: "arrow-right", command: "connect" },
    ),
    { kind: "line" },
    item(words.removeLine, acts.removeChosen, { icon: "trash-2", command: "remove", isDanger: true }),
  ];
}

function cardMenu(acts: Acts, context: ActContext, item: Item): readonly MenuItem[] {
  const { view, state, open, act, rows } = context;
  const { menu: words } = currentWords(canvasMenuWords);
  const { menu: common } = currentWords(outlineWords);
  const { play } = currentWords(canvasWords);
  const selection = view.selection.focus.value;
  const row = acts.chosen.focused();
  const groupIds = acts.chosen.idsOf("group");
  const ports = acts.chosen.portsOf();
  const isBeside = view.selection.beside.value.length > 0;
  const isOneCard = row !== undefined || acts.chosen.cardIds().length === 1;
  const isCopied = row !== undefined || groupIds.length > 0 || isBeside;
  const led = ports.length === 1 && ports[0]?.outlet.edgeId !== undefined ? ports[0] : undefined;
  return [
    ...(isOneCard && !isBeside
      ? [
          { label: common.open, icon: "settings", keys: keysOf("enter"), onPress: () => open({ hasFocus: true }) },
          ...(rows ? [] : editItems(context, { item, row, groupId: groupIds[0] })),
          ...(selection && act
            ? [{ label: play, icon: "play", keys: keysOf("play"), onPress: () => act("play", selection) }]
            : []),
          ...(context.comment
            ? [{ label: words.comment, icon: "message-circle", onPress: () => context.comment?.("add") }]
            : []),
          item(common.addAfter, () => (state.asking.value = { kind: "block", place: acts.placeForBlock() }), {
            icon: "plus",
            command: "addBlock",
          }),
          item(common.leadTo, acts.askLead, {
            icon: "arrow-right",
            command: "connect",
            isDisabled: ports.length === 0,
          }),
          ...(led
            ? [item(common.leadNowhere, () => acts.disconnect(led.outlet), { command: "disconnect", icon: "unlink" })]
            : []),
        ]
      : []),
    ...(hasItems(context, row) ? [item(common.addItem, acts.addItem, { icon: "list-plus", command: "addItem" })] : []),
    ...(isOneCard && !isBeside
      ? acts
          .waysToAdd()
          .map(({ name, line }) => item(common.addWay({ line }), () => acts.addWay(name), { icon: "split" }))
      : []),
    ...(row ? rowItems(acts, context, { item, row }) : []),
    ...(isBeside && !isOneCard
      ? [item(words.write, () => writeBeside(acts, context), { icon: "pencil", command: "enter" })]
      : []),
    { kind: "line" },
    item(common.duplicate, acts.duplicateChosen, { icon: "copy", command: "duplicate", isDisabled: !isCopied }),
    item(common.copy, () => copyToClipboard(acts), { icon: "clipboard-copy", command: "copy", isDisabled: !isCopied }),
    item(
      common.cut,
      () => {
        copyToClipboard(acts);
        acts.removeChosen();
      },
      { icon: "scissors", command: "cut", isDisabled: !isCopied },
    ),
    item(common.paste, () => void readClipboard().then((text) => acts.pasteText(text)), {
      icon: "clipboard-paste",
      command: "paste",
    }),
    { kind: "line" },
    ...(row
      ? []
      : [...(groupIds.length > 0 && !rows ? [foldItem(view, groupIds)] : []), ...cardItems(acts, context, item)]),
    { label: words.chooseAfter, keys: keysOf("allAfter"), icon: "list-end", onPress: () => void acts.chooseAfter() },
    keysItem(),
    { kind: "line" },
    item(common.remove, acts.removeChosen, { icon: "trash-2", command: "remove", isDanger: true }),
  ];
}

type Editable = { readonly item: Item; readonly row: FlowThing | undefined; readonly groupId: string | undefined };

/** Returns the menu items that edit a text or the title on the card itself. */
function editItems(context: ActContext, { item, row, groupId }: Editable): readonly MenuItem[] {
  const { menu: words } = currentWords(canvasMenuWords);
  const extra = { icon: "pencil", command: "rename" };
  const meant = row && meantBy(row);
  if (meant && placeOnCard(context, meant)) return [item(words.writeText, () => editOnCard(context, meant), extra)];
  return row || groupId === undefined ? [] : [item(words.rename, () => editOnCard(context, { id: groupId }), extra)];
}

function writeBeside(acts: Acts, { view }: ActContext): void {
  const last = view.selection.beside.value.at(-1);
  if (last) acts.write(last);
}

function hasItems({ view }: ActContext, row: { readonly id: string; readonly blockId?: string } | undefined): boolean {
  return Array.isArray(row && view.source.editor.store.find.block(row.blockId ?? row.id)?.block["items"]);
}

function rowItems(
  acts: Acts,
  { state, types, view, rows }: ActContext,
  { item, row }: { readonly item: Item; readonly row: FlowThing },
): readonly MenuItem[] {
  const { id: blockId, kind } = row;
  const { menu: words } = currentWords(canvasMenuWords);
  const { menu: common } = currentWords(outlineWords);
  const places = [
    item(common.up, () => void acts.shift(row, -1), { icon: "arrow-up", command: "up" }),
    item(common.down, () => void acts.shift(row, 1), { icon: "arrow-down", command: "down" }),
  ];
  if (kind === "item") return places;
  const blockIds = acts.chosen.blockIds();
  const type = view.source.editor.store.find.block(blockId)?.block["type"];
  const related = (typeof type === "string" && types()?.get(type)?.editor.related) || [];
  return [
    ...(related.length > 0 && blockIds.length === 1
      ? [
          item(common.turnInto, () => (state.asking.value = { kind: "type", blockId }), {
            command: "turnInto",
            icon: "refresh-cw",
          }),
        ]
      : []),
    ...places,
    item(common.moveTo, () => (state.asking.value = { kind: "move", blockIds }), {
      icon: "folder-input",
      ...(rows && { command: "moveTo" }),
    }),
    item(
      words.takeOut,
      () => {
        const cardId = view.scene.value.rowOf(blockId)?.card.id ?? "";
        acts.takeOut(blockIds, acts.besideCard(cardId));
      },
      { command: "takeOut", icon: "square-arrow-out-up-right" },
    ),
  ];
}

/**
 * Returns the menu item that folds or unfolds groups. Folding is stored in this browser and does not change the flow.
 */
function foldItem(view: View, groupIds: readonly string[]): MenuItem {
  const { menu: words } = currentWords(canvasMenuWords);
  const areFolded = groupIds.every((id) => view.collapsed.value.has(id));
  return {
    label: areFolded ? words.expand : words.collapse,
    icon: "chevrons-down-up",
    onPress() {
      const next = new Set(view.collapsed.value);
      for (const id of groupIds) {
        if (areFolded) next.delete(id);
        else next.add(id);
      }
      view.collapsed.value = next;
    },
  };
}
