/** @jsxImportSource preact */
import { safeSource } from "../../conversation/links.ts";
import { flagAt, textAt } from "../../conversation/read.ts";
import { isSoundOff } from "../header/sound-off.ts";
import { Sound } from "../Sound.tsx";
import type { BubbleKind } from "./bubble-kind.ts";

/** A sound with a player. */
export const Audio: BubbleKind = {
  View: ({ content, words }) => (
    <div class="typebot-host-bubble media-bubble audio-bubble">
      <Sound
        source={safeSource(textAt(content, "url"))}
        autoplay={(flagAt(content, "isAutoplayEnabled") ?? true) && !isSoundOff()}
        words={words}
      />
    </div>
  ),
  isEmpty: (content) => safeSource(textAt(content, "url")) === undefined,
};
