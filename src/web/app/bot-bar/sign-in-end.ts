import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { OpenBot } from "../editor/index.ts";
import { hasEnded } from "../session/session.ts";
import { holdUnsaved } from "../session/unsaved.ts";

/**
 * Nothing is sent while nobody, or maybe another person, is signed in; after a new sign-in of the same person it goes on, and nobody sends another
 * one's work.
 */
export function useSignInEnd(bot: OpenBot, download: () => void): void {
  const { copy } = bot.editor;
  const hasStopped = useRef(false);
  useSignalEffect(() => {
    if (hasEnded.value) {
      hasStopped.current = true;
      copy.stop("signed-out");
    } else if (hasStopped.current) {
      hasStopped.current = false;
      copy.retry();
      bot.live.wake();
    }
  });
  useEffect(
    () =>
      holdUnsaved(() => {
        const isUnsaved = copy.pending().length + bot.editor.held.peek().length > 0;
        copy.close();
        return isUnsaved ? { name: bot.bot.peek().name, download } : undefined;
      }),
    [bot],
  );
}
