import type { Point } from "../../canvas/contract.ts";
import { keysOf } from "../../keys/keymap.ts";
import { showKeys } from "../../keys/letter-keys.ts";
import type { MenuItem } from "../../ui/index.ts";
import canvasMenuWords from "../../words/en/canvas-menu.json";
import commandWords from "../../words/en/command.json";
import { currentWords } from "../../words/language.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import "./icons.ts";

type Extra = {
  readonly icon?: string;
  /** The command's name in the keymap, which provides the displayed shortcut. */
  readonly command?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
};

export type Item = (label: string, onPress: () => void, extra?: Extra) => MenuItem;

/** Returns a function that creates menu items. The items are disabled in a read-only flow. */
export function itemOf(context: ActContext): Item {
  const isReadOnly = context.view.source.editor.readOnly.value !== undefined;
  return (label, onPress, { command = "", isDisabled = false, ...extra } = {}) => ({
    label,
    onPress,
    ...extra,
    keys: keysOf(command),
    isDisabled: isReadOnly || isDisabled,
  });
}

/** Returns the menu items for cards, notes and frames, which the canvas and the outline share. */
export function cardItems(acts: Acts, { state, view }: ActContext, item: Item): readonly MenuItem[] {
  const { menu: words } = currentWords(canvasMenuWords);
  const groupIds = acts.chosen.idsOf("group");
  const areLocked = acts.areLocked();
  return [
    ...(groupIds.length > 0 || view.selection.beside.value.length > 0
      ? [item(words.color, () => (state.asking.value = { kind: "color" }), { command: "color", icon: "palette" })]
      : []),
    ...(groupIds.length > 0
      ? [
          item(areLocked ? words.unlock : words.lock, () => acts.lock(!areLocked), { command: "lock", icon: "lock" }),
          item(words.frameAround, () => acts.addFrame(), { command: "frameAround", icon: "frame" }),
        ]
      : []),
    item(words.position, () => (state.asking.value = { kind: "position", boxes: acts.chosen.boxes() }), {
      command: "position",
      icon: "move",
    }),
    ...arrangeItems(acts, item),
  ];
}

/** Returns the menu items that add a note or a frame. `at` is the position in world coordinates. */
export function besideItems(acts: Acts, item: Item, at?: Point): readonly MenuItem[] {
  const { menu: words } = currentWords(canvasMenuWords);
  return [
    item(words.addNote, () => acts.addNote(at), { command: "addNote", icon: "sticky-note" }),
    item(words.addFrame, () => acts.addFrame(at), { command: "addFrame", icon: "frame" }),
  ];
}

/** Returns the menu item that opens the list of keyboard shortcuts. */
export function keysItem(): MenuItem {
  const { menu: words } = currentWords(canvasMenuWords);
  return { label: words.keys, icon: "keyboard", keys: keysOf("help"), onPress: showKeys };
}

function arrangeItems(acts: Acts, item: Item): readonly MenuItem[] {
  const { menu: words } = currentWords(canvasMenuWords);
  const { align, distribute } = currentWords(commandWords).acts;
  const count = acts.chosen.boxes().length;
  const edges = ["left", "center", "right", "top", "middle", "bottom"] as const;
  return [
    ...(count > 1 ? edges.map((edge) => item(align[edge], () => acts.align(edge), { command: `align.${edge}` })) : []),
    ...(count > 2
      ? (["across", "down"] as const).map((axis) =>
          item(distribute[axis], () => acts.distribute(axis), { command: `distribute.${axis}` }),
        )
      : []),
    ...(count > 1
      ? [item(words.tidyChosen, () => void acts.tidyUp("chosen"), { command: "tidyChosen", icon: "wand-sparkles" })]
      : []),
    ...(count === 1
      ? [item(words.tidyPart, () => void acts.tidyUp("part"), { command: "tidyPart", icon: "wand-sparkles" })]
      : []),
  ];
}
