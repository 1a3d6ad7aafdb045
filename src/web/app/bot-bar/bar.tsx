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

/** The screens of a bot, as its bar names them, with the path of each below the bot's own address: one line each. */
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

/** A preview is reached by a button, not by a tab. */
export type BotPart = (typeof tabs)[number]["part"] | "preview";

export type BotBarProps = {
  readonly botId: string;
  /** The current screen of the bot. */
  readonly part: BotPart;
  /** Undefined until the bot is known: then there is no way back. */
  readonly bot: (LiveBot & { readonly workspaceId: string }) | undefined;
  /** The bot's name, or a field for it. */
  readonly name: ComponentChildren;
  /** The revision of the draft that was saved last, where the screen edits. */
  readonly saved?: number | undefined;
  /** The state of the author's work, where the screen edits. */
  readonly saving?: ComponentChildren;
  /** The actions of this screen. */
  readonly children?: ComponentChildren;
};

/**
 * The bar above each screen of a bot: the way back, the name, the links to the other screens, and the actions of this
 * one.
 */
export function BotBar({ botId, part, bot, name, saved, saving, children }: BotBarProps) {
  const words = useWords(botBarWords);
  const { workspaceId } = bot ?? {};
  const live = bot?.publicationNumber ?? undefined;
  const parts = useRef<HTMLElement>(null);
  // If there is no room for all names, the name of the current screen is visible.
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
