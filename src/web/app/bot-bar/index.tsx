import type { ComponentChildren } from "preact";
import { call, useQuery } from "../api/index.ts";
import { Notices } from "../frame/frame.tsx";
import { Link } from "../routing/router.ts";
import { Icon } from "../ui/index.ts";
import botBarWords from "../words/en/bot-bar.json";
import { useWords } from "../words/index.ts";
import { BotBar, type BotPart } from "./bar.tsx";

export type BotFrameProps = {
  readonly botId: string;
  readonly part: BotPart;
  /** Whether the screen fills the window and scrolls its own content. */
  readonly isFilling?: boolean;
  readonly children: ComponentChildren;
};

/** The frame of a screen that does not edit the bot. */
export function BotFrame({ botId, part, isFilling = false, children }: BotFrameProps) {
  const words = useWords(botBarWords);
  const { value: bot } = useQuery(
    `bots/${botId}/for-bar`,
    async () => (await call("GET /api/v1/bots/:botId", { path: { botId } })).bot,
  );
  return (
    <div class={`bot-frame ${isFilling ? "is-filling" : ""}`}>
      <BotBar
        botId={botId}
        part={part}
        bot={bot}
        name={
          <span class="bot-bar-name is-read-only" dir="auto">
            {bot?.name}
          </span>
        }
      >
        <Link
          to={`/bots/${botId}/preview`}
          isCurrent={part === "preview"}
          class="app-button is-plain is-m"
          label={words.preview}
        >
          <Icon name="play" />
          <span class="app-button-words">{words.preview}</span>
        </Link>
      </BotBar>
      <Notices />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
