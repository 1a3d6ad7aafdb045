/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import type { OpenBot } from "../../editor/index.ts";
import { go, Link } from "../../shell/router.ts";
import { Badge, Button, IconButton, Menu, toast } from "../../ui/index.ts";
import { flowWords } from "../../words/flow.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { useWords } from "../../words/index.ts";
import { type PanelName, panelIcons, panelNames } from "./panel.tsx";
import { SavingState } from "./saving-state.tsx";

export type TopBarProps = {
  readonly bot: OpenBot;
  readonly panel: PanelName | undefined;
  readonly onPanel: (name: PanelName | undefined) => void;
  readonly onStep: (back: boolean) => void;
  readonly onFind: () => void;
  readonly onPublish: () => void;
};

/** Where one is, what becomes of one's work, who else is here, and what one came for. */
export function TopBar({ bot, panel, onPanel, onStep, onFind, onPublish }: TopBarProps) {
  const { bar: words } = useWords(flowWords);
  const { panel: panels } = useWords(panelWords);
  const { editor } = bot;
  const [undoTitle, redoTitle] = [editor.undoTitle.value, editor.redoTitle.value];
  const findings = bot.findings.all.value?.length ?? 0;
  const isReadOnly = editor.readOnly.value !== undefined;
  const { workspaceId } = bot.bot.value;
  const names: readonly PanelName[] = editor.held.value.length > 0 ? [...panelNames, "unsaved"] : panelNames;
  return (
    <header class="flow-bar">
      <IconButton icon="arrow-left" label={words.back} onPress={() => go(`/w/${workspaceId}`)} />
      <Name bot={bot} />
      <Tabs botId={bot.id} />
      <SavingState bot={bot} onShow={() => onPanel("unsaved")} />
      <div class="flow-bar-end">
        <Here bot={bot} />
        <IconButton
          icon="undo-2"
          label={undoTitle === undefined ? words.undo : words.undoOf(undoTitle)}
          isDisabled={undoTitle === undefined || isReadOnly}
          onPress={() => onStep(true)}
        />
        <IconButton
          icon="redo-2"
          label={redoTitle === undefined ? words.redo : words.redoOf(redoTitle)}
          isDisabled={redoTitle === undefined || isReadOnly}
          onPress={() => onStep(false)}
        />
        <IconButton icon="search" label={words.find} onPress={onFind} />
        <span class="flow-bar-panels">
          {names.map((name) => (
            <IconButton
              key={name}
              icon={panelIcons[name]}
              label={panels[name]}
              isPressed={panel === name}
              onPress={() => onPanel(panel === name ? undefined : name)}
            />
          ))}
        </span>
        <span class="flow-bar-menu">
          <Menu
            label={words.panels}
            icon="ellipsis"
            isIconOnly
            kind="quiet"
            items={() =>
              names.map((name) => ({ label: panels[name], icon: panelIcons[name], onPress: () => onPanel(name) }))
            }
          />
        </span>
        <Button
          icon="play"
          class="flow-bar-preview"
          attributes={{ "aria-pressed": panel === "preview", "aria-label": words.preview }}
          onPress={() => onPanel(panel === "preview" ? undefined : "preview")}
        >
          {words.preview}
        </Button>
        <Button
          kind="primary"
          icon="send"
          isDisabled={bot.mode !== "write"}
          attributes={{ "aria-label": findings > 0 ? words.publishWith(findings) : words.publish }}
          onPress={onPublish}
        >
          {words.publish} {findings > 0 && <Badge>{findings}</Badge>}
        </Button>
      </div>
    </header>
  );
}

/** The bot's name, which is edited in its place. */
function Name({ bot }: { readonly bot: OpenBot }) {
  const { bar: words } = useWords(flowWords);
  const { name } = bot.bot.value;
  const [typed, setTyped] = useState<string>();
  const commit = (): void => {
    const next = typed?.trim();
    setTyped(undefined);
    if (next && next !== name)
      bot.rename(next).catch((error: unknown) => toast(error instanceof Error ? error.message : String(error)));
  };
  return (
    <h1 class="flow-name">
      <input
        class="flow-name-input"
        aria-label={words.name}
        value={typed ?? name}
        readOnly={bot.mode !== "write"}
        maxLength={255}
        size={Math.max(8, Math.min(32, (typed ?? name).length))}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key !== "Escape") return;
          setTyped(undefined);
          event.currentTarget.blur();
        }}
      />
    </h1>
  );
}

/** The screens of a bot that there are. */
function Tabs({ botId }: { readonly botId: string }) {
  const { bar: words } = useWords(flowWords);
  return (
    <nav class="flow-tabs" aria-label={words.tabs}>
      <Link to={`/bots/${botId}`} isCurrent class="flow-tab">
        {words.flow}
      </Link>
      <Link to={`/bots/${botId}/share`} class="flow-tab">
        {words.share}
      </Link>
      <Link to={`/bots/${botId}/results`} class="flow-tab">
        {words.results}
      </Link>
    </nav>
  );
}

function Here({ bot }: { readonly bot: OpenBot }) {
  const { bar: words } = useWords(flowWords);
  const present = bot.live.present.value;
  if (present.length === 0) return null;
  const names = present.map(({ name }) => name ?? "?");
  return (
    <span class="flow-here" role="img" aria-label={words.here(names.join(", "))} title={words.here(names.join(", "))}>
      {present.slice(0, 4).map(({ id, name }) => (
        <span key={id} class="flow-face">
          {(name ?? "?").slice(0, 1).toUpperCase()}
        </span>
      ))}
      {present.length > 4 && <span class="flow-face">+{present.length - 4}</span>}
    </span>
  );
}
