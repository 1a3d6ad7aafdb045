import { useEffect } from "preact/hooks";
import type { OpenBot } from "../editor/index.ts";
import { whenIdle } from "../session/when-idle.ts";

/** Loads the comments of an open bot once its flow is shown, and again after each change. */
export function CommentsReader({ bot }: { readonly bot: OpenBot }) {
  const changed = bot.comments.changed.value;
  useEffect(() => whenIdle(async () => (await import("./store.ts")).commentsOf(bot).load()), [bot, changed]);
  return null;
}
