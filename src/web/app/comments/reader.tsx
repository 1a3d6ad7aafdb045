import { useEffect } from "preact/hooks";
import type { OpenBot } from "../editor/index.ts";
import { whenIdle } from "../session/when-idle.ts";

/** Reads the comments of an open bot once its flow is shown, and after each change of them. */
export function CommentsReader({ bot }: { readonly bot: OpenBot }) {
  const changed = bot.comments.changed.value;
  useEffect(() => whenIdle(async () => (await import("./store.ts")).commentsOf(bot).load()), [bot, changed]);
  return null;
}
