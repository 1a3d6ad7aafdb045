import { eachText } from "../../../../editing/texts.ts";
import { idOf } from "../../../../editing/things.ts";
import { isJsonObject, type JsonObject, textAt } from "../../../../interpreter/flow.ts";
import type { OpenBot } from "../../editor/index.ts";
import { type BlockType, useBlockTypes } from "../../forms/index.ts";
import type { PaletteEntry } from "../../palette/entries.ts";
import { usePalette } from "../../shell/palette.tsx";
import { wantedVariable } from "../../variables/wanted.ts";
import { flowWords } from "../../words/flow.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { useWords } from "../../words/index.ts";
import { type PanelName, panelIcons, panelNames } from "./panel.tsx";

type FlowActs = {
  readonly onStep: (back: boolean) => void;
  readonly onFind: () => void;
  readonly onPublish: () => void;
  readonly onPanel: (name: PanelName) => void;
};

/** What the palette has of an open flow: what the screen can do now, its groups, blocks and variables. */
export function useFlowPalette(bot: OpenBot, acts: FlowActs): void {
  const { bar } = useWords(flowWords);
  const { panel } = useWords(panelWords);
  const types = useBlockTypes();
  usePalette(() => [...actsOf(bot, acts, { bar, panel }), ...thingsOf(bot, types, acts), ...variablesOf(bot, acts)]);
}

type Words = { readonly bar: (typeof flowWords)["en"]["bar"]; readonly panel: (typeof panelWords)["en"]["panel"] };

function actsOf({ editor, mode }: OpenBot, acts: FlowActs, { bar, panel }: Words): readonly PaletteEntry[] {
  const [undo, redo] = [editor.undoTitle.peek(), editor.redoTitle.peek()];
  const isReadOnly = editor.readOnly.peek() !== undefined;
  const act = (label: string, icon: string, onPress: () => void, keys?: string): PaletteEntry => ({
    section: "acts",
    ...{ label, icon, onPress, keys },
  });
  return [
    ...(undo !== undefined && !isReadOnly ? [act(bar.undoOf(undo), "undo-2", () => acts.onStep(true), "Ctrl Z")] : []),
    ...(redo !== undefined && !isReadOnly
      ? [act(bar.redoOf(redo), "redo-2", () => acts.onStep(false), "Ctrl Shift Z")]
      : []),
    act(bar.find, "search", acts.onFind, "Ctrl F"),
    act(bar.preview, "play", () => acts.onPanel("preview")),
    ...(mode === "write" ? [act(bar.publish, "send", acts.onPublish)] : []),
    ...panelNames.map((name) => act(panel[name], panelIcons[name], () => acts.onPanel(name))),
  ];
}

function thingsOf(
  { editor }: OpenBot,
  types: ReadonlyMap<string, BlockType> | undefined,
  { onPanel }: FlowActs,
): readonly PaletteEntry[] {
  const entries: PaletteEntry[] = [];
  const select = (kind: "group" | "block" | "event", id: string) => () => {
    editor.selection.value = { kind, id };
    onPanel("block");
  };
  const draft = editor.store.draft.peek();
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
        onPress: select("block", id),
      });
    }
  }
  return entries;
}

/** A line has no room for more. */
const mostText = 80;

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

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
