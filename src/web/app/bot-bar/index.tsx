/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { call, useQuery } from "../api/index.ts";
import { Notices } from "../shell/frame.tsx";
import { go, Link } from "../shell/router.ts";
import { IconButton } from "../ui/index.ts";
import { botBarWords } from "../words/bot-bar.ts";
import { useWords } from "../words/index.ts";
import "./bot-bar.css";

type Part = "preview" | "share" | "results";

export type BotFrameProps = {
  readonly botId: string;
  /** Which screen of the bot it is. */
  readonly part: Part;
  /** Whether it fills the window, and scrolls within itself. */
  readonly isFilling?: boolean;
  readonly children: ComponentChildren;
};

/** What stands around a screen of one bot beside its editor: its name, and the way to its other screens. */
export function BotFrame({ botId, part, isFilling = false, children }: BotFrameProps) {
  const words = useWords(botBarWords);
  const { value: bot } = useQuery(
    `bots/${botId}/for-bar`,
    async () => (await call("GET /api/v1/bots/:botId", { path: { botId } })).bot,
  );
  const links = { "": words.flow, preview: words.preview, share: words.share, results: words.results };
  return (
    <div class={`bot-frame ${isFilling ? "is-filling" : ""}`}>
      <header class="bot-bar">
        <IconButton icon="arrow-left" label={words.back} onPress={() => go(bot ? `/w/${bot.workspaceId}` : "/")} />
        <span class="bot-bar-name" dir="auto">
          {bot?.name}
        </span>
        <nav aria-label={words.parts}>
          {Object.entries(links).map(([name, label]) => (
            <Link
              key={name}
              to={name === "" ? `/bots/${botId}` : `/bots/${botId}/${name}`}
              isCurrent={name === part}
              class="bot-bar-part"
            >
              {label}
            </Link>
          ))}
        </nav>
      </header>
      <Notices />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
