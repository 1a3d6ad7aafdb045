import { Reply } from "lucide";
import type { OpenBot } from "../editor/index.ts";
import { addIcons } from "../ui/index.ts";
import { titleOfPlace } from "./places.ts";
import { commentsOf, type Thread } from "./store.ts";
import "./comments.css";

export { CommentsPanel } from "./panel.tsx";
export { choosePlace } from "./places.ts";

addIcons({ reply: Reply });

/**
 * Returns the open thread after the last shown one, or otherwise the first open thread. Threads about removed objects
 * are skipped. Returns undefined if there is no open thread.
 */
export async function nextThread(bot: OpenBot, lastId: string | undefined): Promise<Thread | undefined> {
  const comments = commentsOf(bot);
  if (!comments.isRead.value) await comments.load();
  const open = comments.threads.value.filter(
    ({ isResolved, place }) => !isResolved && titleOfPlace(bot, place, { onCanvas: "" }) !== undefined,
  );
  return open[(open.findIndex(({ id }) => id === lastId) + 1) % Math.max(1, open.length)];
}
