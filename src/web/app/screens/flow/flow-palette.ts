import { idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { eachText } from "../../../../core/editing/references/texts.ts";
import { textAt } from "../../../../core/interpreter/flow.ts";
import { mayPublish } from "../../bot-bar/publish-button.tsx";
import type { OpenBot } from "../../editor/index.ts";
import type { BlockType } from "../../forms/index.ts";
import { loadBlockTypes } from "../../forms/reading.ts";
import type { PaletteEntry } from "../../palette/entries.ts";
import canvasWords from "../../words/en/canvas.json";
import flowWords from "../../words/en/flow.json";
import paletteWords from "../../words/en/palette.json";
import panelNameWords from "../../words/en/panel-name.json";
import { currentWords } from "../../words/language.ts";
import { type PanelName, panelIcons, panelNames } from "./panel.tsx";
import type { FlowView } from "./use-flow-view.ts";
import { wantVariable } from "./variables/wanted.ts";

export type FlowActs = {
  readonly shown: FlowView;
  readonly onShow: (shown: FlowView) => void;
  readonly onStep: (back: boolean) => void;
  /** Opens the search with the given text. */
  readonly onFind: (text: string) => void;
  readonly onPublish: () => void;
  readonly onPanel: (name: PanelName) => void;
  /** Shows or hides the figures on the flow. */
  readonly onInsight: () => void;
};

/** Returns the palette entries for an open flow: the available actions, groups, blocks and variables. */
export async function flowEntries(bot: OpenBot, acts: FlowActs): Promise<readonly PaletteEntry[]> {
  // Without the catalogue, blocks are listed with the identifiers of their types.
  const types = await loadBlockTypes().catch(() => undefined);
  return [...actsOf(bot, acts), ...thingsOf(bot, types, acts), ...variablesOf(bot, acts)];
}

function actsOf(bot: OpenBot, acts: FlowActs): readonly PaletteEntry[] {
  const { editor } = bot;
  const { bar } = currentWords(flowWords);
  const panel = currentWords(panelNameWords);
  const { switchTo } = currentWords(canvasWords);
  const { findIn } = currentWords(paletteWords);
  const [undo, redo] = [editor.undoTitle.value, editor.redoTitle.value];
  const isReadOnly = editor.readOnly.value !== undefined;
  const other = acts.shown === "canvas" ? "outline" : "canvas";
  const act = (label: string, icon: string, onPress: () => void, keys?: string): PaletteEntry => ({
    section: "acts",
    ...{ label, icon, onPress, keys },
  });
  return [
    ...(undo !== undefined && !isReadOnly
      ? [act(bar.undoOf({ title: undo }), "undo-2", () => acts.onStep(true), "Mod Z")]
      : []),
    ...(redo !== undefined && !isReadOnly
      ? [act(bar.redoOf({ title: redo }), "redo-2", () => acts.onStep(false), "Mod Shift Z")]
      : []),
    {
      ...act(bar.find, "search", () => acts.onFind(""), "Mod F"),
      onNothing: (typed) => ({ label: findIn({ typed }), onPress: () => acts.onFind(typed) }),
    },
    act(switchTo[other], other === "canvas" ? "workflow" : "list-tree", () => acts.onShow(other), "Mod ."),
    act(bar.insightOnFlow, "chart-column", acts.onInsight),
    act(bar.preview, "play", () => acts.onPanel("preview")),
    ...(mayPublish(bot) ? [act(bar.publish, "send", acts.onPublish)] : []),
    ...panelNames.map((name) => act(panel[name], panelIcons[name], () => acts.onPanel(name))),
  ];
}

function variablesOf({ editor }: OpenBot, { onPanel }: FlowActs): readonly PaletteEntry[] {
  return editor.store.variables.value.map(({ id, name }) => ({
    section: "variables",
    label: name,
    icon: "braces",
    onPress: () => {
      wantVariable(id);
      onPanel("variables");
    },
  }));
}

/** Returns entries for the groups and blocks of an open flow, with their texts. */
function thingsOf(
  { editor }: OpenBot,
  types: ReadonlyMap<string, BlockType> | undefined,
  { onPanel }: Pick<FlowActs, "onPanel">,
): readonly PaletteEntry[] {
  const entries: PaletteEntry[] = [];
  const select = (kind: "group" | "block" | "event", id: string) => () => {
    editor.selection.select({ kind, id });
    onPanel("block");
  };
  const draft = editor.store.draft.value;
  const texts = new Map<string, string>();
  for (const { texts: found } of eachText(draft)) {
    for (const { target, text } of found) {
      const id = target.of === "item" ? target.in : target.id;
      if (id !== undefined && (texts.get(id)?.length ?? 0) < mostText)
        texts.set(id, `${texts.get(id) ?? ""} ${text.text.slice(0, mostText)}`.trim());
    }
  }
  for (const group of objectsIn(draft.groups)) {
    const [groupId = "", title = ""] = [idOf(group), textAt(group, "title")];
    entries.push({ section: "groups", label: title || groupId, icon: "folder", onPress: select("group", groupId) });
    for (const block of objectsIn(group["blocks"])) {
      const [id = "", type = ""] = [idOf(block), textAt(block, "type")];
      const known = types?.get(type);
      const name = known?.editor.name ?? type;
      entries.push({
        section: "blocks",
        label: texts.get(id) || name,
        detail: `${name} · ${title}`,
        icon: known?.editor.icon ?? "square-dashed",
        words: known?.editor.words.join(" "),
        onPress: select("block", id),
      });
    }
  }
  return entries;
}

/** The maximum length of each text of an entry. Once an entry has this length, no further texts are added. */
const mostText = 80;
