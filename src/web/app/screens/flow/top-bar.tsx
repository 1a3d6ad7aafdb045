import { BotBar } from "../../bot-bar/bar.tsx";
import { BotName } from "../../bot-bar/name.tsx";
import { Here } from "../../bot-bar/presence.tsx";
import { PublishButton } from "../../bot-bar/publish-button.tsx";
import { SavingState } from "../../bot-bar/saving-state.tsx";
import { StepButtons } from "../../bot-bar/steps.tsx";
import type { OpenBot } from "../../editor/index.ts";
import { keysOf } from "../../keys/keymap.ts";
import { Button, IconButton, Menu } from "../../ui/index.ts";
import flowWords from "../../words/en/flow.json";
import panelNameWords from "../../words/en/panel-name.json";
import { useWords } from "../../words/index.ts";
import { type PanelName, panelIcons, panelNames } from "./panel.tsx";
import type { FlowView } from "./use-flow-view.ts";
import { ViewSwitch } from "./view-switch.tsx";

export type TopBarProps = {
  readonly bot: OpenBot;
  readonly panel: PanelName | undefined;
  readonly onPanel: (name: PanelName | undefined) => void;
  readonly onStep: (back: boolean) => void;
  readonly onFind: () => void;
  readonly onPublish: () => void;
  readonly shown: FlowView;
  readonly onShow: (shown: FlowView) => void;
  /** Whether the flow shows figures. */
  readonly isInsight: boolean;
  readonly onInsight: () => void;
};

/**
 * The bar above the flow, with the bot's name, the saving state, the other people, and the main action of the screen.
 */
export function TopBar({ bot, panel, onPanel, onStep, onFind, onPublish, shown, onShow, ...insight }: TopBarProps) {
  const { bar: words } = useWords(flowWords);
  const panels = useWords(panelNameWords);
  const { editor } = bot;
  const unseen = bot.comments.unseen.value;
  const names: readonly PanelName[] = editor.held.value.length > 0 ? [...panelNames, "unsaved"] : panelNames;
  return (
    <BotBar
      botId={bot.id}
      part="flow"
      bot={bot.bot.value}
      saved={bot.editor.saved.value}
      name={<BotName bot={bot} isHeading />}
      saving={<SavingState bot={bot} onShow={() => onPanel("unsaved")} />}
    >
      <Here bot={bot} mayFollow={shown === "canvas"} />
      <ViewSwitch shown={shown} onShow={onShow} />
      <StepButtons editor={editor} onStep={onStep} />
      <IconButton icon="search" label={words.find} keys={keysOf("find")} onPress={onFind} />
      <span class="flow-bar-panels">
        <IconButton
          icon="chart-column"
          label={words.insight}
          isPressed={insight.isInsight}
          onPress={insight.onInsight}
        />
        {names.map((name) => (
          <IconButton
            key={name}
            icon={panelIcons[name]}
            label={name === "comments" && unseen > 0 ? words.newComments({ count: unseen }) : panels[name]}
            {...(name === "comments" && unseen > 0 && { class: "has-news" })}
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
          items={() => [
            ...names.map((name) => ({ label: panels[name], icon: panelIcons[name], onPress: () => onPanel(name) })),
            {
              ...{ label: words.insight, icon: "chart-column", isChecked: insight.isInsight },
              onPress: insight.onInsight,
            },
          ]}
        />
      </span>
      <Button
        label={words.preview}
        icon="play"
        class="flow-bar-preview"
        attributes={{ "aria-pressed": panel === "preview", "aria-label": words.preview }}
        onPress={() => onPanel(panel === "preview" ? undefined : "preview")}
      />
      <PublishButton bot={bot} onPress={onPublish} />
    </BotBar>
  );
}
