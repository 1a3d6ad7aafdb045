/** @jsxImportSource preact */
import type { OpenBot } from "../../editor/index.ts";
import { later, Skeleton } from "../../ui/index.ts";
import { useLoaded } from "../../ui/use-loaded.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { useWords } from "../../words/index.ts";

export const panelNames = ["block", "variables", "findings", "history"] as const;
export type PanelName = (typeof panelNames)[number] | "unsaved" | "preview";

export const panelIcons: Readonly<Record<PanelName, string>> = {
  block: "settings",
  variables: "braces",
  findings: "triangle-alert",
  history: "history",
  unsaved: "cloud-off",
  preview: "play",
};

/** What stands beside the flow: one thing at a time. */
export function PanelContent({
  name,
  bot,
  onReopen,
}: {
  readonly name: PanelName;
  readonly bot: OpenBot;
  readonly onReopen: () => void;
}) {
  const { panel: words } = useWords(panelWords);
  return (
    <div class={`panel is-${name}`}>
      {name !== "block" && name !== "preview" && <h2 class="panel-title">{words[name]}</h2>}
      <div class="panel-body" data-panel-body>
        <Content name={name} bot={bot} onReopen={onReopen} />
      </div>
    </div>
  );
}

function Content({
  name,
  bot,
  onReopen,
}: {
  readonly name: PanelName;
  readonly bot: OpenBot;
  readonly onReopen: () => void;
}) {
  switch (name) {
    case "block":
      return <ThingPanel bot={bot} />;
    case "variables":
      return <VariablesPanel bot={bot} />;
    case "findings":
      return <FindingsPanel bot={bot} />;
    case "history":
      return <HistoryPanel bot={bot} onRestored={onReopen} />;
    case "preview":
      return <PreviewPanel bot={bot} />;
    case "unsaved":
      return <UnsavedPanel bot={bot} />;
  }
}

const loadPreview = async () => (await import("../../preview/index.tsx")).PreviewPanel;
const loadThing = async () => (await import("./thing-panel.tsx")).ThingPanel;
const loadHistory = async () => (await import("./history-panel.tsx")).HistoryPanel;

/** Parts that are loaded when they are met. */
const FindingsPanel = later(async () => (await import("./findings-panel.tsx")).FindingsPanel);
const UnsavedPanel = later(async () => (await import("./unsaved-panel.tsx")).UnsavedPanel);
const VariablesPanel = later(async () => (await import("./variables-panel.tsx")).VariablesPanel);

function PreviewPanel({ bot }: { readonly bot: OpenBot }) {
  const Loaded = useLoaded(loadPreview);
  return Loaded ? <Loaded open={bot} onMark={bot.editor.mark} /> : <Skeleton rows={6} />;
}

/** A canvas is seen before anything on it is opened. */
function ThingPanel({ bot }: { readonly bot: OpenBot }) {
  const Loaded = useLoaded(loadThing);
  return Loaded ? <Loaded bot={bot} /> : <Skeleton rows={6} />;
}

function HistoryPanel({ bot, onRestored }: { readonly bot: OpenBot; readonly onRestored: () => void }) {
  const Loaded = useLoaded(loadHistory);
  return Loaded ? <Loaded bot={bot} onRestored={onRestored} /> : <Skeleton rows={4} />;
}
