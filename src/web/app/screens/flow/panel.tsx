import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CommentsAsked } from "../../comments/panel.tsx";
import type { FlowThing } from "../../editor/commands/command.ts";
import type { CommentPlace } from "../../editor/comment-signs.ts";
import type { OpenBot } from "../../editor/index.ts";
import { whenIdle } from "../../session/when-idle.ts";
import { EmptyState, later, Skeleton } from "../../ui/index.ts";
import panelNameWords from "../../words/en/panel-name.json";
import { useWords } from "../../words/index.ts";

export const panelNames = ["block", "variables", "findings", "comments", "history"] as const;
export type PanelName = (typeof panelNames)[number] | "unsaved" | "preview";

export const panelIcons: Readonly<Record<PanelName, string>> = {
  block: "sliders-horizontal",
  variables: "braces",
  findings: "triangle-alert",
  comments: "message-circle",
  history: "history",
  unsaved: "cloud-off",
  preview: "play",
};

/** The request to open a panel. A new object is a new request. */
export type PanelRequest = { readonly at?: FlowThing | undefined; readonly comments?: CommentsAsked | undefined };

type PanelProps = {
  readonly name: PanelName;
  readonly bot: OpenBot;
  /**
   * The request for the panel: the start of a preview, the object whose findings are shown, or the requested comments.
   */
  readonly asked: PanelRequest;
  readonly onReopen: () => void;
  readonly onLook: (place: CommentPlace) => void;
};

const noRequest: CommentsAsked = {};

/** The content of the panel beside the flow, which shows one subject at a time. */
export function PanelContent(props: PanelProps) {
  const { name } = props;
  const words = useWords(panelNameWords);
  return (
    <div class={`panel is-${name}`}>
      {name !== "block" && name !== "preview" && <h2 class="panel-title">{words[name]}</h2>}
      <div class="panel-body" data-panel-body>
        <Content {...props} />
      </div>
    </div>
  );
}

function Content({ name, bot, asked, onReopen, onLook }: PanelProps) {
  switch (name) {
    case "block":
      return <BlockContent bot={bot} />;
    case "variables":
      return <VariablesPanel bot={bot} />;
    case "findings":
      return <FindingsPanel bot={bot} at={asked.at} />;
    case "comments":
      return <CommentsPanel bot={bot} asked={asked.comments ?? noRequest} onLook={onLook} />;
    case "history":
      return <HistoryPanel bot={bot} onRestored={onReopen} />;
    case "preview":
      return <PreviewPanel open={bot} from={asked.at} asked={asked} onMark={bot.editor.mark} />;
    case "unsaved":
      return <UnsavedPanel bot={bot} />;
  }
}

/**
 * Shows the form of the selection. Forms are loaded when something is selected or the page is idle, so that they do not
 * delay the first rendering.
 */
function BlockContent({ bot }: Pick<PanelProps, "bot">) {
  const { nothingSelected } = useWords(panelNameWords);
  const isNothing = useComputed(() => bot.editor.selection.focus.value === undefined).value;
  useEffect(() => (isNothing ? whenIdle(() => loadThingPanel().catch(() => {})) : undefined), [isNothing]);
  return isNothing ? <EmptyState icon="pencil" title={nothingSelected} /> : <ThingPanel bot={bot} />;
}

const loadThingPanel = async () => (await import("./thing-panel.tsx")).ThingPanel;
const ThingPanel = later(loadThingPanel, <Skeleton rows={6} />);
const VariablesPanel = later(async () => (await import("./variables/panel.tsx")).VariablesPanel, <Skeleton rows={4} />);
const FindingsPanel = later(async () => (await import("../../panels/findings-panel.tsx")).FindingsPanel);
const CommentsPanel = later(
  async () => (await import("../../comments/index.tsx")).CommentsPanel,
  <Skeleton rows={4} />,
);
const HistoryPanel = later(async () => (await import("./history-panel.tsx")).HistoryPanel, <Skeleton rows={4} />);
const PreviewPanel = later(async () => (await import("../../preview/index.tsx")).PreviewPanel, <Skeleton rows={6} />);
const UnsavedPanel = later(async () => (await import("../../panels/unsaved-panel.tsx")).UnsavedPanel);
