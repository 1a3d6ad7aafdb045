import { call, request } from "../../api/index.ts";
import { saveFile } from "../../page-parts/save-and-copy.ts";
import { toast } from "../../ui/index.ts";
import type { Words } from "../../words/index.ts";
import { type BotSummary, refreshBots } from "./bots.ts";

type Identified = { readonly id: string };

/** Copies a bot and returns the copy's id. */
export async function duplicate(bot: BotSummary, words: Words): Promise<string> {
  const name = words.duplicateName({ name: bot.name });
  const answer = await call("POST /api/v1/bots/:botId/duplicate", {
    path: { botId: bot.id },
    body: { name, folderId: bot.folderId },
  });
  toast(words.createdToast({ name }));
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

/** Archives bots and offers to undo the action. */
export async function archive(bots: readonly Identified[], words: Words): Promise<void> {
  await bulk("archive", bots);
  toast(words.archivedToast({ count: bots.length }), {
    label: words.undo,
    onPress: () => void Promise.all(bots.map(({ id }) => restoreById(id))).then(refreshBots),
  });
  await refreshBots();
}

/** Moves bots to the bin and offers to undo the action. */
export async function remove(bots: readonly Identified[], words: Words): Promise<void> {
  await bulk("delete", bots);
  toast(words.deletedToast({ count: bots.length }), {
    label: words.undo,
    onPress: () => void Promise.all(bots.map(({ id }) => restoreById(id))).then(refreshBots),
  });
  await refreshBots();
}

export async function restore(bot: { readonly id: string; readonly name: string }, words: Words): Promise<void> {
  await restoreById(bot.id);
  toast(words.restoredToast({ name: bot.name }));
  await refreshBots();
}

async function restoreById(botId: string): Promise<void> {
  await call("POST /api/v1/bots/:botId/restore", { path: { botId }, body: {} });
}

async function bulk(action: "archive" | "delete", bots: readonly Identified[]): Promise<void> {
  await call("POST /api/v1/bots/bulk", { body: { action, botIds: bots.map(({ id }) => id) } });
}

export type BotFile = { readonly name: string; readonly flow: unknown };

/** Exports bots, each as one file. */
export async function readFiles(bots: readonly BotSummary[]): Promise<readonly BotFile[]> {
  const files: BotFile[] = [];
  for (const { id, name } of bots) {
    const response = await request("GET /api/v1/bots/:botId/export", { path: { botId: id } });
    files.push({ name: `${fileName(name)}.json`, flow: await response.json() });
  }
  return files;
}

export function saveFiles(files: readonly BotFile[]): void {
  for (const { name, flow } of files)
    saveFile(new Blob([JSON.stringify(flow, null, 2)], { type: "application/json" }), name);
}

/** Replaces characters that some file systems do not accept. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-").trim() || "bot";
}
