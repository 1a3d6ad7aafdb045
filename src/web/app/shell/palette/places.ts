import type { Answer } from "../../api/index.ts";
import type { Section } from "../../page-parts/sections.tsx";
import type { PaletteEntry } from "../../palette/entries.ts";
import { go, match } from "../../routing/router.ts";
import { accountSections } from "../../screens/account/sections.ts";
import { instanceSections } from "../../screens/instance/sections.ts";
import { sectionNames as settingSections } from "../../screens/settings/sections.ts";
import { sectionNames as themeSections } from "../../screens/theme/sections.ts";
import { workspaceSections } from "../../screens/workspace/sections.ts";
import type { WorkspaceEntry } from "../../session/workspaces.ts";
import instanceWords from "../../words/en/instance.json";
import settingsWords from "../../words/en/settings.json";
import themeWords from "../../words/en/theme.json";
import workspaceWords from "../../words/en/workspace.json";
import { currentWords, type Words, type WordsOf } from "../../words/index.ts";
import { screens } from "../screens.ts";

type Bot = Answer<"GET /api/v1/bots">["bots"][number];

export type Around = {
  readonly words: Words;
  readonly palette: WordsOf<"palette">;
  readonly workspaceId: string | undefined;
  /** The bot of the current screen. */
  readonly botId: string | undefined;
  /** The number of the bot's live version. */
  readonly live: number | undefined;
  readonly workspaces: readonly WorkspaceEntry[];
  readonly bots: readonly Pick<Bot, "id" | "name">[];
  /** Whether this person may see the administration pages of the instance. */
  readonly isAdministrator: boolean;
};

/** Returns entries for the pages that can be reached from everywhere: screens, bots and workspaces. */
export function placesOf(around: Around): readonly PaletteEntry[] {
  return [
    ...botScreens(around),
    ...botParts(around),
    ...workspaceScreens(around),
    ...accountScreens(around),
    ...botsOf(around),
    ...others(around),
  ];
}

function screen(label: string, to: string, more: Partial<PaletteEntry> = {}): PaletteEntry {
  return { section: "screens", label, icon: "arrow-right", onPress: () => go(to), ...more };
}

/** Returns every screen of the open bot from the list of screens, so that a new screen needs no entry in this file. */
function botScreens({ botId, palette }: Around): readonly PaletteEntry[] {
  if (botId === undefined) return [];
  const base = `/bots/${botId}`;
  const names: Readonly<Record<string, string>> = palette.botScreens;
  const parts = screens.flatMap(({ pattern }) => {
    const [, part = ""] = /^\/bots\/:botId(?:\/([\w-]+)(?:\/:\w+\?)*)?$/.exec(pattern) ?? [undefined, undefined];
    return match(pattern, part === "" ? base : `${base}/${part}`) ? [part] : [];
  });
  return [...new Set(parts)].map((part) =>
    screen(names[part === "" ? "flow" : part] ?? part, part === "" ? base : `${base}/${part}`, {
      detail: palette.ofThisBot,
    }),
  );
}

/** Returns the sections of the bot's theme and settings, and the unpublished changes of the draft. */
function botParts({ botId, palette, live }: Around): readonly PaletteEntry[] {
  if (botId === undefined) return [];
  const base = `/bots/${botId}`;
  const [theme, settings] = [currentWords(themeWords).sections, currentWords(settingsWords).sections];
  const part = (label: string, of: "theme" | "settings", name: string): PaletteEntry => ({
    ...screen(label, `${base}/${of}?part=${name}`, { icon: of === "theme" ? "palette" : "settings" }),
    section: "parts",
    detail: palette.botScreens[of],
  });
  return [
    ...(live === undefined
      ? []
      : [screen(palette.compareWithDraft, `${base}/versions/${live}/compare/draft`, { icon: "history" })]),
    ...themeSections.map((name) => part(theme[name], "theme", name)),
    ...settingSections.map((name) => part(settings[name], "settings", name)),
  ];
}

function workspaceScreens({ words, palette, workspaceId }: Around): readonly PaletteEntry[] {
  if (workspaceId === undefined) return [];
  const base = `/w/${workspaceId}`;
  const make = (label: string, tab: string, icon: string) =>
    screen(label, `${base}?new=${tab}`, { icon, section: "acts" });
  return [
    make(palette.newFromTemplate, "templates", "layout-template"),
    make(palette.newBlank, "blank", "file-plus-2"),
    make(palette.newFromFile, "import", "upload"),
    {
      ...screen(words.allBots, base, { icon: "message-circle" }),
      onNothing: (typed) => ({
        label: palette.searchBots({ typed }),
        onPress: () => go(`${base}?q=${encodeURIComponent(typed)}`),
      }),
    },
    screen(words.insight, `${base}/insight`, { icon: "chart-column" }),
    screen(words.archive, `${base}/archive`, { icon: "archive" }),
    screen(words.bin, `${base}/bin`, { icon: "trash-2" }),
    ...sectionScreens(workspaceSections(words, currentWords(workspaceWords)), `${base}/settings`, {
      icon: "settings",
      detail: words.workspaceSettings,
    }),
  ];
}

function accountScreens({ words, isAdministrator }: Around): readonly PaletteEntry[] {
  return [
    ...sectionScreens(accountSections(words), "/account", { icon: "user", detail: words.account }),
    ...(isAdministrator
      ? sectionScreens(instanceSections(currentWords(instanceWords)), "/instance", {
          icon: "server",
          detail: words.instance,
        })
      : []),
    {
      section: "screens",
      label: words.documentation,
      icon: "circle-help",
      onPress: () => void window.open("/docs", "_blank", "noopener"),
    },
  ];
}

function sectionScreens(
  sections: readonly Section[],
  base: string,
  more: Pick<PaletteEntry, "icon" | "detail">,
): readonly PaletteEntry[] {
  return sections.map(({ id, label }) => screen(label, `${base}/${id}`, more));
}

function botsOf({ bots, botId }: Around): readonly PaletteEntry[] {
  return bots
    .filter(({ id }) => id !== botId)
    .map(({ id, name }) => ({ section: "bots", label: name, icon: "bot", onPress: () => go(`/bots/${id}`) }));
}

function others({ workspaces, workspaceId, palette }: Around): readonly PaletteEntry[] {
  return workspaces
    .filter(({ id }) => id !== workspaceId)
    .map(({ id, name }) => ({
      section: "workspaces",
      label: name,
      icon: "building-2",
      detail: palette.workspace,
      onPress: () => go(`/w/${id}`),
    }));
}
