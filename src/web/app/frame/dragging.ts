import { call, refresh } from "../api/index.ts";
import { toast } from "../ui/index.ts";
import type { Words } from "../words/index.ts";

const kind = "application/x-parley-bots";

/** Adds the ids of the dragged bots to a drag event. */
export function dragBots(event: DragEvent, botIds: readonly string[]): void {
  event.dataTransfer?.setData(kind, JSON.stringify(botIds));
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
}

/** Returns the ids of the dropped bots, or an empty list if something else was dropped. */
export function draggedBots(event: DragEvent): readonly string[] {
  const text = event.dataTransfer?.getData(kind) ?? "";
  if (text === "") return [];
  const ids: unknown = JSON.parse(text);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** Moves bots to a folder of their workspace, or out of all folders. */
export async function moveDragged(
  botIds: readonly string[],
  folder: { readonly id: string | null; readonly name: string },
  words: Words,
): Promise<void> {
  await call("POST /api/v1/bots/bulk", { body: { action: "move", botIds: [...botIds], folderId: folder.id } });
  toast(words.movedToast({ count: botIds.length, place: folder.name }));
  await refresh("bots");
}
