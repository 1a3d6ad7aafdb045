import { go } from "../../routing/router.ts";
import type { MenuItem } from "../../ui/index.ts";
import type { Words } from "../../words/index.ts";
import { duplicate, restore } from "./bot-actions.ts";
import type { BotSummary } from "./bots.ts";

/** An action that first opens a dialog. */
export type Asking =
  | { readonly kind: "move" | "archive" | "delete" | "export"; readonly bots: readonly BotSummary[] }
  | { readonly kind: "rename" | "icon"; readonly bot: BotSummary };

type MenuContext = { readonly words: Words; readonly ask: (asking: Asking) => void };

/** Returns the actions on a bot, for the menu of its button and its context menu. */
export function menuOf(bot: BotSummary, { words, ask }: MenuContext): MenuItem[] {
  const mayWrite = bot.accessRight === "write";
  const open: MenuItem = { label: words.open, icon: "arrow-right", onPress: () => go(`/bots/${bot.id}`) };
  const download: MenuItem = {
    label: words.exportFile,
    icon: "download",
    onPress: () => ask({ kind: "export", bots: [bot] }),
  };
  if (!mayWrite) return [open, download];
  if (bot.isArchived) {
    return [
      { label: words.restore, icon: "archive-restore", onPress: () => void restore(bot, words) },
      download,
      { kind: "line" },
      { label: words.deleteBot, icon: "trash-2", isDanger: true, onPress: () => ask({ kind: "delete", bots: [bot] }) },
    ];
  }
  const { address } = bot;
  return [
    open,
    ...(address === null
      ? []
      : [
          {
            label: words.openChat,
            icon: "external-link",
            onPress: () => void window.open(address, "_blank", "noopener"),
          },
        ]),
    { kind: "line" },
    { label: words.rename, icon: "pencil", onPress: () => ask({ kind: "rename", bot }) },
    { label: words.changeIcon, icon: "smile", onPress: () => ask({ kind: "icon", bot }) },
    { label: words.duplicate, icon: "copy", onPress: () => void duplicate(bot, words) },
    {
      label: words.guestsOf,
      icon: "users",
      onPress: () => go(`/w/${bot.workspaceId}/settings/guests?bot=${bot.id}`),
    },
    { label: words.moveTo, icon: "folder-input", onPress: () => ask({ kind: "move", bots: [bot] }) },
    download,
    { kind: "line" },
    { label: words.archiveBot, icon: "archive", onPress: () => ask({ kind: "archive", bots: [bot] }) },
    { label: words.deleteBot, icon: "trash-2", isDanger: true, onPress: () => ask({ kind: "delete", bots: [bot] }) },
  ];
}
