import { chosenBoxes, fitChosen } from "../canvas/place/fit.ts";
import { colors } from "../editor/commands/surroundings.ts";
import { type Command, keysOf } from "../keys/keymap.ts";
import { entriesOfMenu, type PaletteEntry } from "../palette/entries.ts";
import canvasWords from "../words/en/canvas.json";
import canvasMenuWords from "../words/en/canvas-menu.json";
import commandWords from "../words/en/command.json";
import keyWords from "../words/en/key.json";
import { currentWords } from "../words/language.ts";
import type { ActContext } from "./act-context.ts";
import type { Acts } from "./acts.ts";
import { follow, rename } from "./keys.ts";
import { menuOfChosen, menuOfGround } from "./menu/menu.ts";

/** Returns all available actions of the canvas: on the selection, on the flow, and on the view. */
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
  const { menu, bar } = currentWords(canvasMenuWords);
  const words = currentWords(commandWords);
  const isReadOnly = context.view.source.editor.readOnly.value !== undefined;
  const entry = entryIn("chosen");
  const mayBePainted =
    acts.chosen.focused() === undefined && acts.chosen.boxes().some(({ kind }) => kind !== "event") && !isReadOnly;
  return [
    ...entriesOfMenu(menuOfChosen(acts, context), "chosen"),
    ...(isReadOnly || acts.chosen.edge()
      ? []
      : [entry(currentWords(keyWords).list.rename, "pencil", () => rename(acts, context), "rename")]),
    entry(menu.followOn, "arrow-right", () => follow(acts, context, "on"), "followOn"),
    entry(menu.followBack, "arrow-left", () => follow(acts, context, "back"), "followBack"),
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

function entryIn(section: PaletteEntry["section"]) {
  return (label: string, icon: string, onPress: () => void, command?: Command): PaletteEntry => ({
    ...{ section, label, icon, onPress, keys: command && keysOf(command) },
  });
}

function ofView({ view }: ActContext): readonly PaletteEntry[] {
  const { camera } = view;
  const words = currentWords(canvasWords);
  const entry = entryIn("acts");
  return [
    entry(words.fit, "maximize", () => camera.fit(), "fit"),
    ...(chosenBoxes(view).length > 0
      ? [entry(words.fitSelection, "maximize", () => fitChosen(view), "fitChosen")]
      : []),
    entry(words.zoomIn, "plus", () => camera.zoomTo(camera.zoom * 1.25), "zoomIn"),
    entry(words.zoomOut, "minus", () => camera.zoomTo(camera.zoom / 1.25), "zoomOut"),
    entry(words.fullSize, "maximize", () => camera.zoomTo(1), "fullSize"),
  ];
}
