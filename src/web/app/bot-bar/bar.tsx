import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { PaletteButton } from "../palette/offers.tsx";
import { botHere, go, Link } from "../routing/router.ts";
import { IconButton } from "../ui/index.ts";
import botBarWords from "../words/en/bot-bar.json";
import { useWords } from "../words/index.ts";
import type { LiveBot } from "./live-facts.ts";
import { LiveState } from "./live-state.tsx";
import "./bot-bar.css";

/** The screens of a bot in the order of the bar, each with its path below the bot's URL. */
const tabs = [
  { part: "flow", path: "" },
  { part: "theme", path: "/theme" },
  { part: "settings", path: "/settings" },
  { part: "share", path: "/share" },
  { part: "results", path: "/results" },
  { part: "insight", path: "/insight" },
  { part: "tests", path: "/tests" },
  { part: "versions", path: "/versions" },
] as const;

/** The preview is opened with a button and has no tab. */
export type BotPart = (typeof tabs)[number]["part"] | "preview";

export type BotBarProps = {
  readonly botId: string;
  readonly part: BotPart;
  /**
   * Undefined until the bot is loaded. Until then, the back button opens the first page of the builder instead of the
   * bot's workspace.
   */
  readonly bot: (LiveBot & { readonly workspaceId: string }) | undefined;
  /** The bot's name, or a field that edits the name. */
  readonly name: ComponentChildren;
  /** The last saved revision of the draft, on screens that edit the bot. */
  readonly saved?: number | undefined;
  /** The saving state, on screens that edit the bot. */
  readonly saving?: ComponentChildren;
  /** The actions of this screen. */
  readonly children?: ComponentChildren;
};

/**
 * The bar above each screen of a bot: the link back, the name, the links to the bot's other screens, and the actions of
 * the current screen.
 */
export function BotBar({ botId, part, bot, name, saved, saving, children }: BotBarProps) {
  const words = useWords(botBarWords);
  const { workspaceId } = bot ?? {};
  const live = bot?.publicationNumber ?? undefined;
  const parts = useRef<HTMLElement>(null);
  // If the bar has no room for all names, scrolls to the name of the current screen.
  useLayoutEffect(() => {
    parts.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [part]);
  useLayoutEffect(() => {
    botHere.value = workspaceId === undefined ? undefined : { botId, workspaceId, live };
  }, [botId, workspaceId, live]);
  return (
    <header class="bot-bar">
      <IconButton
        icon="arrow-left"
        label={words.back}
        onPress={() => go(workspaceId === undefined ? "/" : `/w/${workspaceId}`)}
      />
      {name}
      {bot && <LiveState {...{ botId, bot, saved }} />}
      <nav aria-label={words.parts} ref={parts}>
        {tabs.map((tab) => (
          <Link key={tab.part} to={`/bots/${botId}${tab.path}`} isCurrent={tab.part === part} class="bot-bar-part">
            <span data-words={words[tab.part]}>{words[tab.part]}</span>
          </Link>
        ))}
      </nav>
      {saving}
      <div class="bot-bar-end">
        <PaletteButton />
        {children}
      </div>
    </header>
  );
}
