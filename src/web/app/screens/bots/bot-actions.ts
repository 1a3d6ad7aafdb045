import { call, request } from "../../api/index.ts";
import { saveFile } from "../../page-parts/keep.ts";
import { toast } from "../../ui/index.ts";
import type { Words } from "../../words/index.ts";
import { type BotSummary, refreshBots } from "./bots.ts";

type Identified = { readonly id: string };

/** Makes a copy of a bot and gives its id. */
export async function duplicate(bot: BotSummary, words: Words): Promise<string> {
  const name = words.duplicateName(bot.name);
  const answer = await call("POST /api/v1/bots/:botId/duplicate", {
    path: { botId: bot.id },
    body: { name, folderId: bot.folderId },
  });
  toast(words.createdToast(name));
  await refreshBots();
  return answer.bot.id;
}

export async function rename(bot: BotSummary, name: string): Promise<void> {
  await call("PATCH /api/v1/bots/:botId", { path: { botId: bot.id }, body: { bot: { name } } });
  await refreshBots();
}

export async function setIcon(bot: BotSummary, icon: string | null): Promise<void> {
  await call("PATCH /api/v1/bots/:botId", { path: { botId: bot.id }, body: { bot: { icon } } });
  await refreshBots();
}

/** Archives bots, and offers to take that back. */
export async function archive(bots: readonly Identified[], words: Words): Promise<void> {
  await bulk("archive", bots);
  toast(words.archivedToast(bots.length), {
    label: words.undo,
    onPress: () => void Promise.all(bots.map(({ id }) => restoreById(id))).then(refreshBots),
  });
  await refreshBots();
}

/** Puts bots into the bin, and offers to take that back. */
export async function remove(bots: readonly Identified[], words: Words): Promise<void> {
  await bulk("delete", bots);
  toast(words.deletedToast(bots.length), {
    label: words.undo,
    onPress: () => void Promise.all(bots.map(({ id }) => restoreById(id))).then(refreshBots),
  });
  await refreshBots();
}

export async function restore(bot: { readonly id: string; readonly name: string }, words: Words): Promise<void> {
  await restoreById(bot.id);
  toast(words.restoredToast(bot.name));
  await refreshBots();
}

async function restoreById(botId: string): Promise<void> {
  await call("POST /api/v1/bots/:botId/restore", { path: { botId }, body: {} });
}

async function bulk(action: "archive" | "delete", bots: readonly Identified[]): Promise<void> {
  await call("POST /api/v1/bots/bulk", { body: { action, botIds: bots.map(({ id }) => id) } });
}

/** Saves the exported files of bots, one each. */
export async function exportFiles(bots: readonly BotSummary[]): Promise<void> {
  for (const { id, name } of bots) {
    const response = await request("GET /api/v1/bots/:botId/export", { path: { botId: id } });
    const text = JSON.stringify(await response.json(), null, 2);
    saveFile(new Blob([text], { type: "application/json" }), `${fileName(name)}.json`);
  }
}

/** Characters that every file system accepts. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-").trim() || "bot";
}
