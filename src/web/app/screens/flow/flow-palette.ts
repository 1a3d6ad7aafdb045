import { useEffect, useRef } from "preact/hooks";
import { mayPublish } from "../../bot-bar/publish-button.tsx";
import type { OpenBot } from "../../editor/index.ts";
import { useBlockTypes } from "../../forms/index.ts";
import type { PaletteEntry } from "../../palette/entries.ts";
import { usePalette } from "../../shell/palette.tsx";
import { wantedVariable } from "../../variables/wanted.ts";
import { flowWords } from "../../words/flow.ts";
import { panelNameWords } from "../../words/flow-panel-names.ts";
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
  const panel = useWords(panelNameWords);
  const types = useBlockTypes();
  // What it needs to read texts comes after the flow is shown.
  const things = useRef<Things | undefined>(undefined);
  useEffect(() => {
    import("./flow-things.ts").then(
      (part) => {
        things.current = part.thingsOf;
      },
      () => {},
    );
  }, []);
  usePalette(() => [
    ...actsOf(bot, acts, { bar, panel }),
    ...(things.current?.(bot, types, acts) ?? []),
    ...variablesOf(bot, acts),
  ]);
}

type Things = typeof import("./flow-things.ts")["thingsOf"];

type Words = { readonly bar: (typeof flowWords)["en"]["bar"]; readonly panel: (typeof panelNameWords)["en"] };

function actsOf(bot: OpenBot, acts: FlowActs, { bar, panel }: Words): readonly PaletteEntry[] {
  const { editor } = bot;
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
