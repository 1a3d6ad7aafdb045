import type { Answer } from "../api/index.ts";
import { go, match } from "../shell/router.ts";
import { screens } from "../shell/screens.ts";
import type { WorkspaceEntry } from "../shell/workspaces.ts";
import type { Words } from "../words/index.ts";
import type { PaletteWords } from "../words/palette.ts";
import type { PaletteEntry } from "./entries.ts";

type Bot = Answer<"GET /api/v1/bots">["bots"][number];

export type Around = {
  readonly words: Words;
  readonly palette: PaletteWords;
  readonly workspaceId: string | undefined;
  /** The bot whose screens one is on. */
  readonly botId: string | undefined;
  readonly workspaces: readonly WorkspaceEntry[];
  readonly bots: readonly Pick<Bot, "id" | "name">[];
};

/** Where one can go from anywhere: screens, bots, workspaces. */
export function placesOf(around: Around): readonly PaletteEntry[] {
  return [
    ...botScreens(around),
    ...workspaceScreens(around),
    ...accountScreens(around),
    ...botsOf(around),
    ...others(around),
  ];
}

function screen(label: string, to: string, more: Partial<PaletteEntry> = {}): PaletteEntry {
  return { section: "screens", label, icon: "arrow-right", onPress: () => go(to), ...more };
}

/** Of the bot that is open: every screen that the table has of one, so that a new one is found without a line here. */
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

function workspaceScreens({ words, workspaceId }: Around): readonly PaletteEntry[] {
  if (workspaceId === undefined) return [];
  const base = `/w/${workspaceId}`;
  const settings = (section: string, label: string) =>
    screen(label, `${base}/settings/${section}`, { icon: "settings", detail: words.workspaceSettings });
  return [
    screen(words.allBots, base, { icon: "message-circle" }),
    screen(words.archive, `${base}/archive`, { icon: "archive" }),
    screen(words.bin, `${base}/bin`, { icon: "trash-2" }),
    settings("general", words.general),
    settings("members", words.members),
    settings("tokens", words.tokens),
    settings("events", words.events),
    settings("credentials", words.credentials),
  ];
}

function accountScreens({ words }: Around): readonly PaletteEntry[] {
  const account = (section: string, label: string) =>
    screen(label, `/account/${section}`, { icon: "user", detail: words.account });
  return [
    account("profile", words.profile),
    account("sign-ins", words.signIns),
    account("tokens", words.tokens),
    {
      section: "screens",
      label: words.documentation,
      icon: "circle-help",
      onPress: () => void window.open("/docs", "_blank", "noopener"),
    },
  ];
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
