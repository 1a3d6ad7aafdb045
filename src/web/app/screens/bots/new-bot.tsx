import { newBotAnswers } from "../../../../core/interpreter/schemas/defaults.ts";
import { clearTheme } from "../../../../core/theme/clear.ts";
import { call } from "../../api/index.ts";
import { NameForm } from "../../page-parts/form-dialog.tsx";
import { go } from "../../routing/router.ts";
import { Dialog, Tabs, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { refreshBots } from "./bots.ts";
import { ImportBot } from "./import-bot.tsx";
import type { MakeProps, NewBotPlace } from "./make-props.ts";
import { Templates } from "./templates.tsx";

export type NewBotTab = "templates" | "blank" | "import";

export type NewBotProps = {
  readonly tab: NewBotTab;
  readonly onTab: (tab: NewBotTab) => void;
  readonly place: NewBotPlace;
  /** The template to preview immediately. */
  readonly template?: string | undefined;
  readonly onClose: () => void;
};

/** Creates a bot from a template, as an empty bot, or from an existing flow. */
export function NewBot({ tab, onTab, place, template, onClose }: NewBotProps) {
  const words = useWords();
  const made = (bot: { readonly id: string; readonly name: string }) => {
    toast(words.createdToast({ name: bot.name }));
    onClose();
    go(`/bots/${bot.id}`);
    void refreshBots();
  };
  return (
    <Dialog title={words.galleryTitle} size="l" onClose={onClose}>
      <Tabs
        label={words.galleryTitle}
        tabs={[
          { id: "templates", label: words.galleryTemplates, icon: "layout-template" },
          { id: "blank", label: words.galleryBlank, icon: "file-plus-2" },
          { id: "import", label: words.doorImport, icon: "upload" },
        ]}
        selected={tab}
        onSelect={onTab}
      >
        <div class="new-bot-panel">
          {tab === "templates" && <Templates place={place} onMade={made} first={template} />}
          {tab === "blank" && <Blank place={place} onMade={made} />}
          {tab === "import" && <ImportBot place={place} onMade={made} />}
        </div>
      </Tabs>
    </Dialog>
  );
}

function Blank({ place: { workspaceId, folderId }, onMade }: MakeProps) {
  const words = useWords();
  const make = async (name: string) => {
    const bot = { name, folderId, theme: clearTheme, settings: { answers: newBotAnswers } };
    onMade((await call("POST /api/v1/bots", { body: { workspaceId, bot } })).bot);
  };
  return (
    <NameForm
      class="new-bot-blank"
      label={words.importName}
      action={words.create}
      send={make}
      attributes={{ autofocus: true }}
    />
  );
}
