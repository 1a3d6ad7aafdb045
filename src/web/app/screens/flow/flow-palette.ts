import { mayPublish } from "../../bot-bar/publish-button.tsx";
import type { OpenBot } from "../../editor/index.ts";
import { loadBlockTypes } from "../../forms/reading.ts";
import type { PaletteEntry } from "../../palette/entries.ts";
import { canvasWords } from "../../words/canvas.ts";
import { flowWords } from "../../words/flow.ts";
import { panelNameWords } from "../../words/flow-panel-names.ts";
import { paletteWords } from "../../words/palette.ts";
import { thingsOf } from "./flow-things.ts";
import { type PanelName, panelIcons, panelNames } from "./panel.tsx";
import type { FlowView } from "./use-flow-view.ts";
import { wantedVariable } from "./variables/wanted.ts";

export type FlowActs = {
  readonly shown: FlowView;
  readonly onShow: (shown: FlowView) => void;
  readonly onStep: (back: boolean) => void;
  /** Opens the search, for these words where there are some. */
  readonly onFind: (text: string) => void;
  readonly onPublish: () => void;
  readonly onPanel: (name: PanelName) => void;
};

/** The palette's entries for an open flow: the current actions of the screen, its groups, blocks and variables. */
export async function flowEntries(bot: OpenBot, acts: FlowActs): Promise<readonly PaletteEntry[]> {
  // Without the catalogue blocks are called by their types.
  const types = await loadBlockTypes().catch(() => undefined);
  return [...actsOf(bot, acts), ...thingsOf(bot, types, acts), ...variablesOf(bot, acts)];
}

function actsOf(bot: OpenBot, acts: FlowActs): readonly PaletteEntry[] {
  const { editor } = bot;
  const { bar } = flowWords.peek();
  const panel = panelNameWords.peek();
  const { switchTo } = canvasWords.peek();
  const { findIn } = paletteWords.peek();
  const [undo, redo] = [editor.undoTitle.peek(), editor.redoTitle.peek()];
  const isReadOnly = editor.readOnly.peek() !== undefined;
  const other = acts.shown === "canvas" ? "outline" : "canvas";
  const act = (label: string, icon: string, onPress: () => void, keys?: string): PaletteEntry => ({
    section: "acts",
    ...{ label, icon, onPress, keys },
  });
  return [
    ...(undo !== undefined && !isReadOnly ? [act(bar.undoOf(undo), "undo-2", () => acts.onStep(true), "Mod Z")] : []),
    ...(redo !== undefined && !isReadOnly
      ? [act(bar.redoOf(redo), "redo-2", () => acts.onStep(false), "Mod Shift Z")]
      : []),
    {
      ...act(bar.find, "search", () => acts.onFind(""), "Mod F"),
      onNothing: (typed) => ({ label: findIn(typed), onPress: () => acts.onFind(typed) }),
    },
    act(switchTo[other], other === "canvas" ? "workflow" : "list-tree", () => acts.onShow(other), "Mod ."),
    act(bar.preview, "play", () => acts.onPanel("preview")),
    ...(mayPublish(bot) ? [act(bar.publish, "send", acts.onPublish)] : []),
    ...panelNames.map((name) => act(panel[name], panelIcons[name], () => acts.onPanel(name))),
  ];
}

function variablesOf({ editor }: OpenBot, { onPanel }: FlowActs): readonly PaletteEntry[] {
  return editor.store.variables.peek().map(({ id, name }) => ({
    section: "variables",
    label: name,
    icon: "braces",
    onPress: () => {
      wantedVariable.value = id;
      onPanel("variables");
    },
  }));
}
