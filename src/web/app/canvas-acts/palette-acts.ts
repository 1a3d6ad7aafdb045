import { chosenBoxes, fitChosen } from "../canvas/place/fit.ts";
import { colors } from "../editor/commands/surroundings.ts";
import { entriesOfMenu, type PaletteEntry } from "../palette/entries.ts";
import { canvasWords } from "../words/canvas.ts";
import { canvasMenuWords } from "../words/flow-canvas-menu.ts";
import { commandWords } from "../words/flow-commands.ts";
import { keyWords } from "../words/flow-keys.ts";
import type { ActContext } from "./act-context.ts";
import type { Acts } from "./acts.ts";
import { follow, rename } from "./keys.ts";
import { menuOfChosen, menuOfGround } from "./menu/menu.ts";

/** All current actions of the canvas: on the selection, on the flow, and on the view. */
export function paletteActs(acts: Acts, context: ActContext): readonly PaletteEntry[] {
  const isAnyChosen =
    acts.chosen.edge() !== undefined || acts.chosen.focused() !== undefined || acts.chosen.boxes().length > 0;
  return [
    ...(isAnyChosen ? ofChosen(acts, context) : []),
    ...entriesOfMenu(menuOfGround(acts, context), "acts"),
    ...ofView(context),
  ];
}

function ofChosen(acts: Acts, context: ActContext): readonly PaletteEntry[] {
  const { menu, bar } = canvasMenuWords.peek();
  const words = commandWords.peek();
  const { list: keys } = keyWords.peek();
  const isReadOnly = context.view.source.editor.readOnly.peek() !== undefined;
  const entry = (label: string, icon: string, onPress: () => void, pressed?: string): PaletteEntry => ({
    section: "chosen",
    ...{ label, icon, onPress, keys: pressed },
  });
  const mayBePainted =
    acts.chosen.focused() === undefined && acts.chosen.boxes().some(({ kind }) => kind !== "event") && !isReadOnly;
  return [
    ...entriesOfMenu(menuOfChosen(acts, context), "chosen"),
    ...(isReadOnly || acts.chosen.edge() ? [] : [entry(keys.rename, "pencil", () => rename(acts, context), "F2")]),
    entry(menu.followOn, "arrow-right", () => follow(acts, context, "on"), "]"),
    entry(menu.followBack, "arrow-left", () => follow(acts, context, "back"), "["),
    ...(mayBePainted
      ? [
          ...colors.map((color) =>
            entry(`${bar.color}: ${words.colors[color]}`, "palette", () => void acts.paint(color)),
          ),
          entry(bar.noColor, "palette", () => void acts.paint(undefined)),
        ]
      : []),
  ];
}

function ofView({ view }: ActContext): readonly PaletteEntry[] {
  const { camera } = view;
  const words = canvasWords.peek();
  const entry = (label: string, icon: string, keys: string, onPress: () => void): PaletteEntry => ({
    section: "acts",
    ...{ label, icon, keys, onPress },
  });
  return [
    entry(words.fit, "maximize", "1", () => camera.fit()),
    ...(chosenBoxes(view).length > 0 ? [entry(words.fitSelection, "maximize", "2", () => fitChosen(view))] : []),
    entry(words.zoomIn, "plus", "+", () => camera.zoomTo(camera.zoom * 1.25)),
    entry(words.zoomOut, "minus", "-", () => camera.zoomTo(camera.zoom / 1.25)),
    entry(words.fullSize, "maximize", "0", () => camera.zoomTo(1)),
  ];
}
