import { Icon } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import type { NewBotTab } from "./new-bot.tsx";

/** An empty workspace: three doors, and one line on the API. */
export function FirstBot({ onChoose }: { readonly onChoose: (tab: NewBotTab) => void }) {
  const words = useWords();
  const doors = [
    { tab: "templates", icon: "layout-template", title: words.doorTemplate, text: words.doorTemplateText },
    { tab: "blank", icon: "file-plus-2", title: words.doorBlank, text: words.doorBlankText },
    { tab: "import", icon: "upload", title: words.doorImport, text: words.doorImportText },
  ] as const;
  return (
    <section class="first-bot">
      <h2>{words.emptyTitle}</h2>
      <p>{words.emptyText}</p>
      <div class="first-bot-doors">
        {doors.map(({ tab, icon, title, text }) => (
          <button key={tab} type="button" class="first-bot-door" onClick={() => onChoose(tab)}>
            <Icon name={icon} size={22} />
            <strong>{title}</strong>
            <span>{text}</span>
          </button>
        ))}
      </div>
      <p class="first-bot-api">
        {words.emptyApi} <a href="/docs">POST /api/v1/bots</a>
      </p>
    </section>
  );
}
