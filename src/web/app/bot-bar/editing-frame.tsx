import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { OpenBot } from "../editor/index.ts";
import { Notices } from "../frame/frame.tsx";
import { UnsavedPanel } from "../panels/unsaved-panel.tsx";
import { Dialog } from "../ui/index.ts";
import panelNameWords from "../words/en/panel-name.json";
import { useWords } from "../words/index.ts";
import { BotBar, type BotPart } from "./bar.tsx";
import { EditingNotices, useEditing } from "./editing.tsx";
import { BotName } from "./name.tsx";
import { Here } from "./presence.tsx";
import { PublishButton, PublishDialog } from "./publish-button.tsx";
import { SavingState } from "./saving-state.tsx";
import { StepButtons, useSteps } from "./steps.tsx";
import "../panels/flow.css";

export type EditingFrameProps = {
  readonly bot: OpenBot;
  readonly part: BotPart;
  readonly onReopen: () => void;
  readonly children: ComponentChildren;
};

/**
 * The frame of a screen that edits a bot, except the flow editor. The frame shows the saving state, undo, and the
 * button for publishing.
 */
export function EditingFrame({ bot, part, onReopen, children }: EditingFrameProps) {
  const panels = useWords(panelNameWords);
  const [shown, setShown] = useState<"publish" | "unsaved">();
  const step = useSteps(bot.editor);
  useEditing(bot);
  return (
    <div class="bot-frame is-filling">
      <BotBar
        botId={bot.id}
        part={part}
        bot={bot.bot.value}
        saved={bot.editor.saved.value}
        name={<BotName bot={bot} />}
        saving={<SavingState bot={bot} onShow={() => setShown("unsaved")} />}
      >
        <Here bot={bot} />
        <StepButtons editor={bot.editor} onStep={step} />
        <PublishButton bot={bot} onPress={() => setShown("publish")} />
      </BotBar>
      <Notices />
      <EditingNotices bot={bot} onReopen={onReopen} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {shown === "publish" && <PublishDialog bot={bot} onClose={() => setShown(undefined)} />}
      {shown === "unsaved" && (
        <Dialog title={panels.unsaved} onClose={() => setShown(undefined)}>
          <UnsavedPanel bot={bot} />
        </Dialog>
      )}
    </div>
  );
}
